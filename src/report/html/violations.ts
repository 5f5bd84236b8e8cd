/** Every counterexample: what was done, what came back beside what is allowed, and the drawing over time. */
import { stepRows } from '../call-text.js';
import type { Counterexample } from '../counterexample.js';
import { storyOf } from '../story.js';
import { html, type Markup } from './markup.js';
import { timeline } from './timeline.js';

/** Facts that the page shows in a way of its own, not in the list. */
const SHOWN_APART: ReadonlySet<string> = new Set(['Provider answered', 'Contract allows', 'Replay']);

/** One card for every counterexample. */
export function violationCards(counterexamples: readonly Counterexample[]): Markup {
  return html`${counterexamples.map(card)}`;
}

/** The fragment that names a counterexample's card. */
export function anchorOf({ id }: Pick<Counterexample, 'id'>): string {
  return `violation-${id}`;
}

function card(counterexample: Counterexample): Markup {
  const { heading, intro, facts } = storyOf(counterexample);
  const text = (label: string): string => facts.find((fact) => fact.label === label)?.text ?? '';
  const replay = text('Replay');
  return html`<article class="card" id="${anchorOf(counterexample)}">
<h3><span class="failed">${counterexample.behaviors[0] ?? ''}</span> ${heading.title}</h3>
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
