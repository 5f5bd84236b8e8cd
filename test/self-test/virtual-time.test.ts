/** Time that passes only when nobody has anything to do. */
import { describe, expect, it } from 'vitest';
import { VirtualTime } from '../../src/cli/self-test/virtual-time.js';

describe('virtual time', () => {
  it('does not pass while something can still be done', async () => {
    const time = new VirtualTime();
    const seen: string[] = [];
    const work = async (name: string, ms: number): Promise<void> => {
      await time.sleep(ms);
      for (let turn = 0; turn < 50; turn++) await Promise.resolve();
      seen.push(`${name} at ${time.clock()}`);
    };
    await time.run(Promise.all([work('late', 60_000), work('early', 1), work('middle', 500)]));
    expect(seen).toEqual(['early at 1', 'middle at 500', 'late at 60000']);
  });

  it('keeps the order of events of one instant', async () => {
    const time = new VirtualTime();
    const seen: number[] = [];
    for (let i = 0; i < 100; i++) time.after(i % 3, () => seen.push(i));
    await time.run(time.sleep(5));
    const byInstant = [0, 1, 2].flatMap((instant) =>
      Array.from({ length: 100 }, (_, i) => i).filter((i) => i % 3 === instant),
    );
    expect(seen).toEqual(byInstant);
  });

  it('says so when nothing is left to happen', async () => {
    const time = new VirtualTime();
    await expect(time.run(new Promise(() => {}))).rejects.toThrow('virtual time stands still');
  });

  it('ends with the error of the work', async () => {
    const time = new VirtualTime();
    const work = time.sleep(3).then(() => {
      throw new Error('broken');
    });
    await expect(time.run(work)).rejects.toThrow('broken');
  });

  it('never comes to what never comes', async () => {
    const time = new VirtualTime();
    let came = false;
    time.after(Number.POSITIVE_INFINITY, () => {
      came = true;
    });
    await time.run(time.sleep(1_000_000));
    expect(came).toBe(false);
  });
});
