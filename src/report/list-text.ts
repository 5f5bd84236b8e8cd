/** What `bfcheck list` prints. Pure: the registry in, text out. */
import { AREAS, BEHAVIORS, type Behavior } from '../../model/registry.js';
import { hanging } from './layout.js';

/** Every behavior of `behaviors` by area, with what requires it; `columns` characters a line. */
export function listText(behaviors: readonly Behavior[] = BEHAVIORS, columns = 100): string {
  const sections = AREAS.flatMap(({ id, name }) => {
    const members = behaviors.filter(({ area }) => area === id);
    if (members.length === 0) return [];
    return [
      [`${name} (${id})`, ...members.flatMap((behavior) => behaviorLines(behavior, columns))].join('\n'),
    ];
  });
  const count = `${behaviors.length} ${behaviors.length === 1 ? 'behavior' : 'behaviors'}`;
  return `${[...sections, `${count}. \`bfcheck explain ID\` says why one matters and how to keep it.`].join('\n\n')}\n`;
}

function behaviorLines({ id, title, profiles, capability, reading }: Behavior, columns: number): string[] {
  const notes = [
    profiles.join(','),
    ...(capability === null ? [] : [`needs ${capability}`]),
    ...(reading === null ? [] : ['two readings']),
  ];
  return hanging(`  ${id.padEnd(5)}  `, `${title} [${notes.join('; ')}]`, columns);
}

/** The same as a JSON array, for tools: the fields of the registry under the names that report.json uses. */
export function listJson(behaviors: readonly Behavior[] = BEHAVIORS): string {
  const entries = behaviors.map(({ id, area, title, profiles, capability, phase, blackBox, reading }) => ({
    id,
    area,
    title,
    profiles,
    capability,
    phase,
    black_box: blackBox,
    reading,
  }));
  return `${JSON.stringify(entries, null, 2)}\n`;
}
