/** Questions of the demo school's banks as they are written down; stems may hold LaTeX in `$…$` and simple HTML. */
export interface DemoQuestion {
  /** The canonical code. */
  type: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  stem: string;
  /** Of types 1 to 4, in their order: the first has the id 1. */
  options: string[];
  /** As stored: option ids, blanks joined by `@@`, or the reference answer. */
  right: string;
  analysis: string;
  /** 1 to 5. */
  facility: number;
  /** At most 20 characters. */
  remark: string;
  /** Of a material question. */
  parts: DemoQuestion[];
}

type Facility = 1 | 2 | 3 | 4 | 5;
const none = { options: [], parts: [] };

export function single(
  stem: string,
  options: string[],
  right: number,
  analysis: string,
  facility: Facility = 2,
  remark = '',
): DemoQuestion {
  return { ...none, type: 1, stem, options, right: String(right), analysis, facility, remark };
}

export function judge(
  stem: string,
  isTrue: boolean,
  analysis: string,
  facility: Facility = 1,
  remark = '',
): DemoQuestion {
  return { ...none, type: 2, stem, options: ['正确', '错误'], right: isTrue ? '1' : '2', analysis, facility, remark };
}

export function multiple(
  stem: string,
  options: string[],
  right: number[],
  analysis: string,
  facility: Facility = 3,
  remark = '',
): DemoQuestion {
  return { ...none, type: 3, stem, options, right: right.join(','), analysis, facility, remark };
}

export function indefinite(
  stem: string,
  options: string[],
  right: number[],
  analysis: string,
  facility: Facility = 4,
  remark = '',
): DemoQuestion {
  return { ...none, type: 4, stem, options, right: right.join(','), analysis, facility, remark };
}

export function short(
  stem: string,
  answer: string,
  analysis: string,
  facility: Facility = 4,
  remark = '',
): DemoQuestion {
  return { ...none, type: 5, stem, right: answer, analysis, facility, remark };
}

export function blanks(
  stem: string,
  answers: string[],
  analysis: string,
  facility: Facility = 2,
  remark = '',
): DemoQuestion {
  return { ...none, type: 7, stem, right: answers.join('@@'), analysis, facility, remark };
}

export function material(stem: string, parts: DemoQuestion[], facility: Facility = 4, remark = ''): DemoQuestion {
  return { ...none, type: 6, stem, right: '', analysis: '', facility, remark, parts };
}
