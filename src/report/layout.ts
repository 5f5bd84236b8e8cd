/** Lines of plain text: wrapping and tables. Widths are in characters; colour is added afterwards by the caller. */

/** Breaks `text` at spaces into lines of at most `width`; a longer word keeps a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line === '') line = word;
    else if (line.length + 1 + word.length <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

/** `text` wrapped after `indent`, further lines under its first word. */
export function hanging(indent: string, text: string, columns: number): string[] {
  const width = Math.max(24, columns - indent.length);
  return wrap(text, width).map((line, index) => `${index === 0 ? indent : ' '.repeat(indent.length)}${line}`);
}

/** Rows as lines with the first column to the left and the others to the right. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
