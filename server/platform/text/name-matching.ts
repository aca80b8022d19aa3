/** Compares names ignoring case, spaces, full-width forms and invisible characters. */
export const alike = (one: string, other: string): boolean => plainName(one) === plainName(other);

/** Normal form of a name for `alike` and searches. */
export const plainName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\s\u00ad\u200b-\u200f\u2060\ufeff]+/g, '')
    .toLowerCase();

/** Also drops brackets, which people omit when typing a name. */
export const looseName = (name: string): string => plainName(name).replace(/[()[\]{}【】〔〕「」]/g, '');
