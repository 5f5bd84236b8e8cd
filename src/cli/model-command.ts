/** `bfcheck model`: the model checks itself, state by state. */
import { explore, INVARIANTS } from '../../model/explore.js';
import { lifecycleDiagram } from '../../model/machine.js';
import { EXIT } from './failure.js';

/** Prints what was explored and every violated invariant. Returns the exit code. */
export function modelCommand(options: { readonly diagram?: boolean }, print: (line: string) => void): number {
  if (options.diagram) {
    print(lifecycleDiagram());
    return EXIT.certified;
  }
  const { states, transitions, depth, violations } = explore();
  print(`${states} states, ${transitions} transitions, depth ${depth}`);
  for (const { name, section, says } of INVARIANTS) {
    const broken = violations.find(({ invariant }) => invariant === name);
    print(`${broken ? 'BROKEN' : 'holds '}  ${name}  ${says} (section ${section})`);
    if (broken) print(`        ${broken.detail}; the way there: ${broken.path.join(', ')}`);
  }
  return violations.length === 0 ? EXIT.certified : EXIT.failed;
}
