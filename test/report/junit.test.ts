import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { AREAS } from '../../model/registry.js';
import { buildReport } from '../../src/report/json-report.js';
import { junitXml } from '../../src/report/junit.js';
import { hostileViolation, negativeGrace, type RunParts, runOf, staleCreate } from './runs.js';

interface Node {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Node[];
  text: string;
}

/** Parses strictly by XML 1.0: a character that the standard forbids is an error. */
function parse(xml: string): Node {
  const root: Node = { name: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  const parser = new SaxesParser({ fragment: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const node: Node = { name, attributes: attributes as Record<string, string>, children: [], text: '' };
    stack.at(-1)?.children.push(node);
    stack.push(node);
  });
  parser.on('closetag', () => stack.pop());
  parser.on('text', (text) => {
    const top = stack.at(-1);
    if (top) top.text += text;
  });
  parser.write(xml).close();
  const [document] = root.children;
  if (!document) throw new Error('no root element');
  return document;
}

function junit(parts: RunParts): Node {
  return parse(junitXml(buildReport(runOf(parts))));
}

function casesOf(document: Node): Node[] {
  return document.children.flatMap(({ children }) => children);
}

describe('junit.xml', () => {
  it('has a suite for every area and a case for every behavior, with counts that add up', () => {
    const document = junit({ violations: [staleCreate(), negativeGrace()], met: ['B101', 'B303', 'B210'] });
    expect(document.name).toBe('testsuites');
    expect(document.children.map(({ attributes }) => attributes.name)).toEqual(AREAS.map(({ name }) => name));
    expect(casesOf(document)).toHaveLength(93);
    for (const suite of document.children) {
      const count = (name: string) =>
        suite.children.filter(({ children }) => children.some((child) => child.name === name)).length;
      expect(suite.attributes).toMatchObject({
        tests: String(suite.children.length),
        failures: String(count('failure')),
        skipped: String(count('skipped')),
        errors: '0',
      });
    }
    const total = document.children.reduce((sum, { attributes }) => sum + Number(attributes.failures), 0);
    expect(document.attributes).toMatchObject({ tests: '93', failures: String(total) });
    expect(total).toBe(3);
  });

  it('tells the story of a failure and the reason of what was not decided', () => {
    const document = junit({ violations: [staleCreate()], met: ['B303'] });
    const find = (id: string) => casesOf(document).find(({ attributes }) => attributes.name?.startsWith(id));
    expect(find('B303')?.children[0]?.text).toContain('npx bfcheck replay seeds/B303-0123456789.json');
    expect(find('B303')?.attributes.classname).toBe('bfcheck.fencing');
    expect(find('B301')?.children[0]).toMatchObject({
      name: 'skipped',
      attributes: { message: 'inconclusive: its case was not met in this run' },
    });
    expect(find('B1001')?.children[0]?.attributes.message).toContain('not selected');
  });

  it('stays well-formed, and keeps words readable, whatever a provider sends', () => {
    const document = junit({
      violations: [hostileViolation()],
      target: 'h\u0001st:1',
      provider: '\ufffe\ud83d',
    });
    const failure = casesOf(document).flatMap(({ children }) =>
      children.filter(({ name }) => name === 'failure'),
    )[0];
    expect(failure?.attributes.message).toContain('<script>alert(1)</script>');
    expect(failure?.attributes.message).toContain('\\x1b[2J');
    expect(failure?.text).toContain('\\ud800');
    expect(document.children[0]?.attributes.hostname).toBe('h\\x01st:1');
  });
});
