/** What a field says of its limit, in characters, and of whether it may be left empty. */
export const limitHint = (limit: number, isOptional = false): string =>
  `${isOptional ? '选填，' : ''}最多 ${limit} 个字`;
