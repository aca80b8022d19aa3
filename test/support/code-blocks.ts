/** Reads the code fences of a document, such as ```ts into server/notices/rules.ts. */
interface CodeBlock {
  language: string;
  /** Words after the language: the file that the code belongs to, and the position in that file. */
  place: string | undefined;
  code: string;
}

export const codeBlocks = (document: string): CodeBlock[] =>
  [...document.matchAll(/^( *)```(\w+)(?: (.*))?\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', language = '', place, code = '']) => ({
      language,
      place,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
