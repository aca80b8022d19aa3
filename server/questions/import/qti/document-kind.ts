/** Recognises QTI documents by their root element. Small, because the server's own process loads it. */

/** Kinds of documents by their root element. */
const documentKinds: Readonly<Record<string, DocumentKind>> = {
  questestinterop: 'qti1',
  assessmentItem: 'item2',
  assessmentTest: 'test',
  assessmentSection: 'section',
  assessmentStimulus: 'stimulus',
  'qti-assessment-item': 'item3',
  'qti-assessment-test': 'test',
  'qti-assessment-section': 'section',
  'qti-assessment-stimulus': 'stimulus',
  manifest: 'manifest',
};

export type DocumentKind = 'qti1' | 'item2' | 'item3' | 'test' | 'section' | 'stimulus' | 'manifest';

/** Returns the kind of an XML document; undefined if QTI has no such document. */
export function documentKind(bytes: Uint8Array): DocumentKind | undefined {
  const isWide = bytes[0] === 0xff || bytes[0] === 0xfe;
  const head = Buffer.from(bytes.subarray(0, 2 ** 16)).toString(isWide ? 'utf16le' : 'latin1');
  const name = rootName(head);
  return Object.hasOwn(documentKinds, name) ? documentKinds[name] : undefined;
}

/** Returns the local name of the root element. Linear in time, because the server's own process calls it. */
function rootName(head: string): string {
  let at = head.indexOf('<');
  while (at !== -1) {
    const skipped = skippedEnds.find(([start]) => head.startsWith(start, at));
    if (!skipped) return /<(?:[\w.-]+:)?([\w.-]*)/y.exec(head.slice(at, at + 200))?.[1] ?? '';
    const end = head.indexOf(skipped[1], at);
    at = end === -1 ? -1 : head.indexOf('<', end + skipped[1].length);
  }
  return '';
}

/** Beginning and end of markup before the root element. */
const skippedEnds = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<!', '>'],
] as const;

export const isQtiDocument = (bytes: Uint8Array): boolean => documentKind(bytes) !== undefined;
