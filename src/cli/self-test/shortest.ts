export interface SearchResult {
  readonly length: number | null;
  readonly note: string;
}
export async function shortest(_mutant: string): Promise<SearchResult> {
  return { length: null, note: '' };
}
