/** Names are the same whatever their spaces, widths and capitals, and whatever in them nobody sees. */
export const alike = (one: string, other: string): boolean => plainName(one) === plainName(other);

/** As `alike` compares them. */
export const plainName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\s\u00ad\u200b-\u200f\u2060\ufeff]+/g, '')
    .toLowerCase();

/** Folds brackets as well: people leave them out when they type a name. */
export const looseName = (name: string): string => plainName(name).replace(/[()[\]{}【】〔〕「」]/g, '');
