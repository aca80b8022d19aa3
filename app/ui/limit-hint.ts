/** Hint below a field: its maximum number of characters, and whether it is optional. */
export const limitHint = (limit: number, isOptional = false): string =>
  `${isOptional ? '选填，' : ''}最多 ${limit} 个字`;
