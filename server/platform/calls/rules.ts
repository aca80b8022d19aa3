/** Messages for requests that no call accepts. */
export const callMessages = {
  notAllowed: '不支持该请求方式',
  malformed: '请求格式不正确',
  tooLarge: '提交的内容过大，请减少后再试',
  signedOut: '请先登录',
  expired: '登录已过期，请重新登录',
  notOffered: '当前身份没有此功能',
  away: '服务暂时不可用，请稍后再试',
} as const;

/** First and last day that addresses, forms, files and calls may name. */
export const earliestDay = '1970-01-01';
export const latestDay = '2200-12-31';

/** True for a calendar day (`yyyy-mm-dd`) within the range. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  text >= earliestDay &&
  text <= latestDay &&
  new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;

/** True for a year (`yyyy`) within the range. */
export const isYear = (text: string): boolean => isDay(`${text}-01-01`);

/** Returns the day, or the nearest one within the range. */
export const clampDay = (day: string): string => (day < earliestDay ? earliestDay : day > latestDay ? latestDay : day);

/** Last second of the latest day, unix seconds. */
export const latestSecond = Date.UTC(2201, 0, 1) / 1000 - 1;

/** Error messages by field path (`ques_option.2.content`, indexes from 0). */
export type FieldErrors = Record<string, string[]>;

export interface Page<Row> {
  list: Row[];
  total: number;
  page: number;
  limit: number;
}

export interface MethodAndHeaders {
  method: string;
  header(name: string): string | null | undefined;
}

/** True for HEAD and prefetches, whose answer the user has not asked to see yet. */
export function isHeadOrPrefetch({ method, header }: MethodAndHeaders): boolean {
  const isAhead = (name: string) => /^\s*prefetch\b/i.test(header(name) ?? '');
  return method === 'HEAD' || isAhead('sec-purpose') || isAhead('purpose');
}

export const isHeadOrPrefetchRequest = ({ method, headers }: Request): boolean =>
  isHeadOrPrefetch({ method, header: (name) => headers.get(name) });
