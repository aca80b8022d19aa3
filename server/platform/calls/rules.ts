/** What is said where a call cannot be taken at all. */
export const callMessages = {
  notAllowed: '不支持该请求方式',
  malformed: '请求格式不正确',
  tooLarge: '提交的内容过大，请减少后再试',
  signedOut: '请先登录',
  expired: '登录已过期，请重新登录',
  notOffered: '当前身份没有此功能',
  away: '服务暂时不可用，请稍后再试',
} as const;

/** The days that an address, a form, a file or a call may name. */
export const earliestDay = '1970-01-01';
export const latestDay = '2200-12-31';

/** Accepts a day of the calendar (`yyyy-mm-dd`) between the earliest and the latest. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  text >= earliestDay &&
  text <= latestDay &&
  new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;

/** Accepts a year (`yyyy`) of these days. */
export const isYear = (text: string): boolean => isDay(`${text}-01-01`);

/** The nearest of these days. */
export const boundedDay = (day: string): string =>
  day < earliestDay ? earliestDay : day > latestDay ? latestDay : day;

/** The last second of the latest day, in unix seconds. */
export const latestSecond = Date.UTC(2201, 0, 1) / 1000 - 1;

/** A field by its path (`ques_option.2.content`, indexes from 0), and what is wrong with it. */
export type FieldErrors = Record<string, string[]>;

/** A page of rows. */
export interface Page<Row> {
  list: Row[];
  total: number;
  page: number;
  limit: number;
}

export interface Sent {
  method: string;
  header(name: string): string | null | undefined;
}

/** Tells whether a request is a HEAD or a prefetch: nobody has asked for its answer yet. */
export function isOnlyLook({ method, header }: Sent): boolean {
  const isAhead = (name: string) => /^\s*prefetch\b/i.test(header(name) ?? '');
  return method === 'HEAD' || isAhead('sec-purpose') || isAhead('purpose');
}

export const isLookOf = ({ method, headers }: Request): boolean =>
  isOnlyLook({ method, header: (name) => headers.get(name) });
