/** Reads the answers of a table: a row of numbers above a row of answers, or columns 题号 and 答案. */

/** Places of an answer and its explanation in a table. */
export interface TableAnswer {
  value: number;
  row: number;
  column: number;
  /** Column of the explanation. */
  analysis: number | undefined;
}

const numberCell = (text: string | undefined): number | undefined => {
  const match = /^第?(\d{1,4})\s*[.．、题]?$/.exec(text ?? '');
  return match ? Number(match[1]) : undefined;
};

const isNumberTitle = (cell: string) => /^(?:题号|序号|题目)$/.test(cell);

/** `rows`: the text of each cell. */
export function tableAnswers(rows: readonly string[][]): TableAnswer[] {
  const inRows = rows.flatMap((row, index) => answersBelow(row, rows[index + 1], index + 1));
  return inRows.length > 0 ? inRows : answersInColumns(rows);
}

function answersBelow(row: readonly string[], answers: readonly string[] | undefined, at: number): TableAnswer[] {
  const numbers = row.map(numberCell);
  const isTitled = numbers[0] === undefined;
  const count = numbers.filter((value) => value !== undefined).length;
  // A single question counts if the row below says that it is its answer.
  const isEnough = count >= 2 || (count === 1 && /^(?:答案|选项)$/.test(answers?.[0] ?? ''));
  if (!answers || !isEnough || count < row.filter((cell) => cell !== '').length - (isTitled ? 1 : 0)) return [];
  if (answers.map(numberCell).filter((value) => value !== undefined).length >= count) return [];
  return numbers.flatMap((value, column) =>
    value !== undefined && answers[column] ? [{ value, row: at, column, analysis: undefined }] : [],
  );
}

function answersInColumns(rows: readonly string[][]): TableAnswer[] {
  const title = rows.findIndex((row) => row.some(isNumberTitle) && row.some((cell) => /答案/.test(cell)));
  const titles = rows[title] ?? [];
  const columns = titles.flatMap((cell, column) => (isNumberTitle(cell) ? [column] : []));
  return rows.slice(title + 1).flatMap((row, index) =>
    title === -1
      ? []
      : columns.flatMap((column) => {
          const value = numberCell(row[column]);
          const isExplained = /解析|详解|分析/.test(titles[column + 2] ?? '') && row[column + 2];
          return value !== undefined && row[column + 1]
            ? [{ value, row: title + 1 + index, column: column + 1, analysis: isExplained ? column + 2 : undefined }]
            : [];
        }),
  );
}
