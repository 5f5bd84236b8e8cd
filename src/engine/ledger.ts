/** Which operation_id belongs to which machine, over a whole run: a fresh one was never seen before (contract 4.6). */
export class OperationLedger {
  private readonly owners = new Map<string, string>();

  /** Notes that `operationId` was minted for `machineId`. Returns the machine that has it already, or null. */
  claim(operationId: string, machineId: string): string | null {
    const owner = this.owners.get(operationId);
    if (owner !== undefined) return owner;
    this.owners.set(operationId, machineId);
    return null;
  }

  /** Whether `operationId` is known from anywhere. */
  has(operationId: string): boolean {
    return this.owners.has(operationId);
  }
}
