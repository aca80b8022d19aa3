/** Hint below a field: its limit in characters, and whether it is optional. */
export const limitHint = (limit: number, isOptional = false): string =>
  `${isOptional ? '选填，' : ''}最多 ${limit} 个字`;
