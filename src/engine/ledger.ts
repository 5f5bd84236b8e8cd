/** Which operation_id belongs to which machine, over a whole run: a fresh one was never seen before (contract 4.6). */
export class OperationLedger {
  private readonly owners = new Map<string, string>();
  private readonly lives = new Map<string, number>();
  /** How often the provider was killed so far. */
  kills = 0;

  /** Notes that `operationId` was minted for `machineId`. Returns the machine that has it already, or null. */
  claim(operationId: string, machineId: string): string | null {
    const owner = this.owners.get(operationId);
    if (owner !== undefined) return owner;
    this.owners.set(operationId, machineId);
    this.lives.set(operationId, this.kills);
    return null;
  }

  /** Whether `operationId` was first seen before the provider was killed the last time. */
  isFromBefore(operationId: string): boolean {
    return (this.lives.get(operationId) ?? this.kills) < this.kills;
  }

  /** Whether `operationId` is known from anywhere. */
  has(operationId: string): boolean {
    return this.owners.has(operationId);
  }
}
