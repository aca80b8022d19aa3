/** Maximum characters of a cell, the same as in Excel. */
export const maxCell = 32_767;
export const maxColumns = 300;
export const maxRows = 500_000;

export const cellTooLongMessage = `单元格超过${maxCell}个字符`;
export const tooManyColumns = `超过${maxColumns}列，请只保留需要的列`;
export const tooManyRows = `超过${maxRows / 10_000}万行，请分成几个文件`;

/** Readers throw this at the first cell, column or row beyond a limit. */
export class LimitExceeded extends Error {
  readonly row: number;

  constructor(row: number, message: string) {
    super(message);
    this.row = row;
  }
}
