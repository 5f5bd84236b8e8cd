/** Every behavior with its evidence and its reason, by area, to be filtered by status. */
import { AREAS } from '../../../model/registry.js';
import { STATUSES, statusName } from '../area-table.js';
import { grouped } from '../escape.js';
import { knownText } from '../known.js';
import type { BehaviorReport, Report } from '../report.js';
import { html, type Markup } from './markup.js';
import { anchorOf } from './violations.js';

/** The list, with a box for every status to show or hide. */
export function behaviorList({ behaviors }: Pick<Report, 'behaviors'>): Markup {
  const count = (status: string): number => behaviors.filter((behavior) => behavior.status === status).length;
  return html`<div class="filter" role="group" aria-label="Show behaviors that are">${STATUSES.map(
    (status) =>
      html`<label><input type="checkbox" value="${status}" checked> <span class="${status}">${statusName(status)}</span> ${count(status)}</label>`,
  )}</div>
${AREAS.map(({ id, name }) => {
  const members = behaviors.filter(({ area }) => area === id);
  return members.length === 0
    ? null
    : html`<section class="card area"><h3>${name}</h3>${members.map(item)}</section>
`;
})}`;
}

function item(behavior: BehaviorReport): Markup {
  const { id, title, status, required, known } = behavior;
  return html`<details class="behavior" id="${id}" data-status="${status}"><summary><b>${id}</b><span class="status ${status}">${statusName(status)}${required || status === 'skipped' ? '' : html` <span class="soft">(optional)</span>`}${known === null ? null : html` <span class="soft">(known ${known})</span>`}</span><span class="title">${title}</span></summary>
<dl class="facts">${factsOf(behavior).map(([label, text]) => html`<dt>${label}</dt><dd>${text}</dd>`)}</dl></details>
`;
}

function factsOf(behavior: BehaviorReport): [string, Markup | string][] {
  const { reason, evidence, properties, readings, profiles, capability, required, counterexample, known } =
    behavior;
  const counts = Object.entries(evidence).map(([fact, count]) => `${fact} ${grouped(count)}`);
  return [
    ...(reason === '' ? [] : [['Reason', reason] as [string, string]]),
    ...(counterexample === null
      ? []
      : [
          ['Violation', html`<a href="#${anchorOf(counterexample)}">${counterexample.id}</a>`] as [
            string,
            Markup,
          ],
        ]),
    ...(known === null ? [] : [['Known', knownText(behavior)] as [string, string]]),
    ['Evidence', counts.length === 0 ? 'its case was never seen' : counts.join(', ')],
    ['Decided by', properties.length === 0 ? 'no property yet' : properties.join(', ')],
    [
      'Required',
      `${required ? 'yes' : 'no'}; profiles ${profiles.join(', ')}${capability ? `; needs ${capability}` : ''}`,
    ],
    ...(readings.literal === readings.reference
      ? []
      : [['Readings', `literal ${readings.literal}, reference ${readings.reference}`] as [string, string]]),
  ];
}
