import { describe, expect, it } from 'vitest';
import { explanationOf } from '../../model/explanations.js';
import { BEHAVIORS, matchBehaviors } from '../../model/registry.js';
import { MUTANTS } from '../../src/provider/index.js';
import { explainText } from '../../src/report/explain-text.js';
import { EXPLAIN_EXAMPLES } from '../../src/report/gen/explain-examples.js';
import { listJson, listText } from '../../src/report/list-text.js';

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ');

describe('list', () => {
  it('shows every behavior once, within the width', () => {
    const text = listText();
    for (const { id, title } of BEHAVIORS) {
      expect(text.split(`  ${id} `).length, id).toBe(2);
      expect(inOneLine(text)).toContain(title);
    }
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('shows a selection', () => {
    expect(listText(matchBehaviors('B109'), 80)).toMatchInlineSnapshot(`
      "Lifecycle (lifecycle)
        B109   While a Delete is in flight the only transitional state ever seen is
               DELETING, and the machine settles back in Speculative [core,cloud;
               needs Delete]

      1 behavior. \`bfcheck explain ID\` says why one matters and how to keep it.
      "
    `);
  });

  it('gives tools the registry', () => {
    const entries = JSON.parse(listJson()) as { id: string }[];
    expect(entries.map(({ id }) => id)).toEqual(BEHAVIORS.map(({ id }) => id));
    expect(entries.find(({ id }) => id === 'B210')).toMatchObject({
      area: 'transition-matrix',
      profiles: ['core'],
      capability: null,
      phase: 2,
      black_box: true,
      reading: { literal: expect.any(String), reference: expect.any(String) },
    });
  });
});

describe('explain', () => {
  it('says why, which rule, who decides and what to do', () => {
    const deciders = new Map([['B303', ['token-stream', 'lexicographic']]] as const);
    expect(
      explainText('B303', {
        deciders,
        example: {
          mutant: 'equal-token-passes',
          says: 'A token equal to the mark passes.',
          lines: ['> 1  Create  -> OK  <- wrong', '', 'Contract allows    FAILED_PRECONDITION'],
        },
      }),
    ).toMatchInlineSnapshot(`
      "B303  For one shard and machine every token not strictly newer is FAILED_PRECONDITION and every
            newer one moves the mark, compared lexicographically: a higher epoch wins with any sequence
            and starts it afresh

        Why it matters  If an old token passes once, a shard that was replaced can drain machines of its
                        successor. If a new one does not, the successor can do nothing.

        The rule        Section 4, step 2 (fence): accepted when there is no mark or (epoch, sequence) is
                        strictly greater, the epoch first.

        How to keep it  Compare the epochs, and only if they are equal the sequences, both strictly. Do
                        not demand that both grow, and do not accept an equal pair.

        Required by     the profile core. Area: Fencing (fencing)

        Decided by      token-stream, lexicographic

        What a violation looks like  A provider with a bug: A token equal to the mark passes.

          > 1  Create  -> OK  <- wrong

          Contract allows    FAILED_PRECONDITION

      Check it alone: npx bfcheck --target HOST:PORT --only B303
      "
    `);
  });

  it('tells both readings where there are two, and says where nothing decides yet', () => {
    const text = explainText('B210', { deciders: new Map() });
    expect(text).toContain('Reference reading');
    expect(text).toContain('not implemented');
  });

  it('has something to say about every behavior', () => {
    for (const { id } of BEHAVIORS) {
      const text = inOneLine(explainText(id, { deciders: new Map() }));
      const { why, rule, fix } = explanationOf(id);
      for (const part of [why, rule, fix]) expect(text).toContain(inOneLine(part));
    }
  });
});

describe('the examples of violations', () => {
  const examples = Object.entries(EXPLAIN_EXAMPLES);

  it('are there for most behaviors, each found in a bug that exists', () => {
    expect(examples.length).toBeGreaterThan(80);
    const names = new Set(MUTANTS.map(({ name }) => name));
    for (const [id, { mutant }] of examples) expect([id, names.has(mutant)]).toEqual([id, true]);
  });

  it.each(examples)(
    '%s says what came back and what is allowed, and names nothing of its run',
    (_, { lines }) => {
      const text = lines.join('\n');
      expect(text).toMatch(/^Provider answered {2}/m);
      expect(text).toMatch(/^Contract allows {2}/m);
      expect(text).not.toMatch(/op-[0-9a-f]{8}|bfcheck-[0-9a-f]{8}/);
    },
  );
});
