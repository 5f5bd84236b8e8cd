/** Every counterexample: what was done, what came back beside what is allowed, and the drawing over time. */
import { stepRows } from '../call-text.js';
import type { Counterexample } from '../counterexample.js';
import { glancesOf } from '../glance.js';
import type { Report } from '../report.js';
import { storyOf } from '../story.js';
import { asidesIn, toldIn } from '../told.js';
import { html, type Markup } from './markup.js';
import { timeline } from './timeline.js';

/** Facts that the page shows in a way of its own, not in the list. */
const SHOWN_APART: ReadonlySet<string> = new Set(['Provider answered', 'Contract allows', 'Replay']);

/** All kinds in short where there are several violations, and one card for every counterexample. */
export function violationCards(report: Report): Markup {
  const told = toldIn(report);
  const asides = new Set(asidesIn(report));
  return html`${told.length > 1 ? inShort(told) : null}${told.map((counterexample) => card(counterexample, asides.has(counterexample)))}`;
}

function inShort(told: readonly Counterexample[]): Markup {
  return html`<div class="card"><h3>In short</h3>${glancesOf(told).map(
    ({ rule, says, first, others }) =>
      html`<div class="glance"><p><b>Rule ${rule}</b> <span class="soft">${says}</span></p>
<p>${first.call === null ? null : html`<code>${first.call}</code> `}answered <span class="failed">${first.answered}</span>; allowed: ${first.allowed}</p>
<p class="soft">${[first.counterexample, ...others].map((counterexample) => html`<a href="#${anchorOf(counterexample)}">${counterexample.id}</a> `)}</p></div>
`,
  )}</div>`;
}

/** The fragment that names a counterexample's card. */
export function anchorOf({ id }: Pick<Counterexample, 'id'>): string {
  return `violation-${id}`;
}

function card(counterexample: Counterexample, aside: boolean): Markup {
  const { heading, intro, facts } = storyOf(counterexample);
  const text = (label: string): string => facts.find((fact) => fact.label === label)?.text ?? '';
  const replay = text('Replay');
  return html`<article class="card" id="${anchorOf(counterexample)}">
<h3><span class="failed">${counterexample.behaviors[0] ?? ''}</span> ${heading.title}${aside ? html` <span class="soft">(not counted)</span>` : null}</h3>
<div class="contrast"><div class="saw"><strong>The provider answered</strong>${text('Provider answered')}</div><div class="may"><strong>The contract allows</strong>${text('Contract allows')}</div></div>
<p class="soft">${intro}</p>
${stepTable(counterexample)}
${timeline(counterexample)}
<dl class="facts">${facts
    .filter(({ label }) => !SHOWN_APART.has(label))
    .map((fact) => html`<dt>${fact.label}</dt><dd>${fact.text}</dd>`)}</dl>
${replay === '' ? null : html`<pre class="command">${replay}</pre>`}
</article>
`;
}

function stepTable({ calls }: Counterexample): Markup {
  return html`<div class="scroll"><table class="steps mono"><tbody>${stepRows(calls).map(
    ({ number, call, reply, wrong }) =>
      html`<tr${wrong ? html` class="wrong"` : null}><td>${number}</td><td>${call}</td><td>→ ${reply}${wrong ? ' ← wrong' : ''}</td></tr>`,
  )}</tbody></table></div>`;
}
