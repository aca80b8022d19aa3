/** The addresses of a paper and of an answer sheet. What is no id names nothing: 0. */
import { searchOf } from '../lib/search.ts';

export function idIn(params: URLSearchParams, name: string): number {
  const text = params.get(name) ?? '';
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
}

/** A flag of the address is on or left out. */
export const isOn = (params: URLSearchParams, name: string): boolean => params.get(name) === '1';

export interface SheetAddress {
  reportId: number;
  /** 只看错题 */
  onlyWrong: boolean;
}

export const sheetHref = ({ reportId, onlyWrong }: SheetAddress): string =>
  `/exams/approve/view${searchOf({ report_id: reportId, wrong: onlyWrong ? 1 : undefined })}`;
