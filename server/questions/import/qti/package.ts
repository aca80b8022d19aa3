/** Opens a QTI file or package: finds its documents, its metadata, and the order of its tests. */
import { posix } from 'node:path';
import { type OpenedZip, openZip, parsedZipLimits } from '#server/platform/files/zip.ts';
import { pointSeparator } from '../../points.rules.ts';
import { pointSource } from '../../portable-tags.ts';
import { type DocumentKind, documentKind } from './document-kind.ts';
import { childNamed, childrenNamed, type Element, elementsOf, findAll, findNamed, parseXml, textOf } from './tree.ts';

export interface QtiDocument {
  /** Name in the package; '' for a single file. */
  name: string;
  kind: DocumentKind;
}

export interface ItemMetadata {
  /** 1 (easy) to 5 (hard). */
  difficulty?: number | undefined;
  keywords: string[];
  /** Path of the knowledge point. */
  point?: string | undefined;
}

export interface QtiPackage {
  documents: QtiDocument[];
  metadata: ReadonlyMap<string, ItemMetadata>;
  isCartridge: boolean;
  zip: OpenedZip | undefined;
  /** Reads a document. */
  read(name: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Opens a file; a refusal carries the message for the screen. The caller must close the result. */
export async function openPackage(bytes: Uint8Array): Promise<QtiPackage | { refused: string }> {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (!isZip) {
    const kind = documentKind(bytes);
    return {
      documents: kind ? [{ name: '', kind }] : [],
      metadata: new Map(),
      isCartridge: false,
      zip: undefined,
      read: async () => bytes,
      close: async () => {},
    };
  }
  const opened = await openZip(bytes, 'zip');
  if ('refused' in opened) return { refused: opened.message };
  const zip = opened.ok;
  try {
    return await packageOf(zip);
  } catch (error) {
    await zip.close();
    throw error;
  }
}

/** Endings of files that may be QTI documents. Blackboard names its documents .dat. */
const endings = /\.(?:xml|qti|dat)$/i;

async function packageOf(zip: OpenedZip): Promise<QtiPackage> {
  const read = async (name: string): Promise<Uint8Array> => (await zip.read(name)) ?? new Uint8Array();
  const documents: QtiDocument[] = [];
  for (const name of zip.names) {
    const size = zip.sizes.get(name.toLowerCase()) ?? 0;
    const isOfMac = name.startsWith('__MACOSX/') || posix.basename(name).startsWith('._');
    if (!endings.test(name) || isOfMac || size > parsedZipLimits.xmlBytes) continue;
    const kind = documentKind(await read(name));
    if (kind) documents.push({ name, kind });
  }
  const manifestName = documents
    .filter(({ kind }) => kind === 'manifest')
    .sort((one, other) => one.name.length - other.name.length)[0]?.name;
  const manifest = manifestName === undefined ? undefined : parseXml(await read(manifestName));
  const resources = manifest && manifestName !== undefined ? resourcesOf(manifest, posix.dirname(manifestName)) : [];
  const order = new Map(resources.flatMap(({ files }) => files).map((name, index) => [name.toLowerCase(), index]));
  const rank = ({ name }: QtiDocument) => order.get(name.toLowerCase()) ?? order.size;
  return {
    documents: withoutProfileCopies(documents)
      .filter(({ kind }) => kind !== 'manifest')
      // Sorting is stable: documents that the manifest does not list come last, in the order of the zip.
      .sort((one, other) => rank(one) - rank(other)),
    metadata: new Map(
      resources.flatMap(({ files: [file], metadata }) => (file ? [[file.toLowerCase(), metadata]] : [])),
    ),
    isCartridge: /common cartridge/i.test(textOf(findNamed(manifest, 'schema'))),
    zip,
    read,
    close: () => zip.close(),
  };
}

/**
 * Canvas exports a quiz twice: within the cartridge's profile, which lacks most kinds of questions, and complete in
 * `non_cc_assessments`.
 */
function withoutProfileCopies(documents: readonly QtiDocument[]): QtiDocument[] {
  const complete = new Set(
    documents.flatMap(({ name }) => /(?:^|\/)non_cc_assessments\/([^/]+)\.xml\.qti$/.exec(name)?.[1] ?? []),
  );
  return documents.filter(({ name }) => {
    const quiz = /(?:^|\/)([^/]+)\/assessment_qti\.xml$/.exec(name)?.[1];
    return quiz === undefined || !complete.has(quiz);
  });
}

/** Resources of a manifest. `files`: names in the package, the main file first. */
function resourcesOf(manifest: Element, folder: string): { files: string[]; metadata: ItemMetadata }[] {
  return findAll(manifest, ({ name }) => name === 'resource').map((resource) => {
    const { href, 'bb:file': blackboardFile } = resource.attributes;
    const files = childrenNamed(resource, 'file').map(({ attributes }) => attributes.href);
    const names = [href, blackboardFile, ...files].filter((name) => name !== undefined);
    return { files: [...new Set(names.map((name) => partName(folder, name)))], metadata: metadataOf(resource) };
  });
}

/** Name in the package of a file that a document of `folder` refers to. */
export function partName(folder: string, href: string): string {
  let name = href;
  try {
    name = decodeURIComponent(href);
  } catch {
    // A percent sign may be part of the name.
  }
  return posix.join(folder, name).replace(/^\/+/, '');
}

const difficulties = ['very easy', 'easy', 'medium', 'difficult', 'very difficult'];

function metadataOf(resource: Element): ItemMetadata {
  const lom = findNamed(resource, 'lom');
  const level = textOf(childNamed(findNamed(lom, 'difficulty'), 'value'))
    .toLowerCase()
    .replaceAll(/[_-]/g, ' ');
  // Classifications whose source is a field of another program say nothing about the content.
  const isTechnical = (path: Element) => /^(?:qmd|bbmd)_/.test(textOf(childNamed(path, 'source')));
  const all = findAll(lom, ({ name }) => /^taxonpath$/i.test(name)).filter((path) => !isTechnical(path));
  const isPoint = (path: Element) => textOf(childNamed(path, 'source')) === pointSource;
  const point = all.find(isPoint);
  const paths = all.filter((path) => !isPoint(path));
  const entries = [
    ...findAll(lom, ({ name }) => name === 'keyword'),
    ...paths.flatMap((path) => childrenNamed(path, 'taxon')),
  ];
  const keywords = entries.flatMap((entry) => {
    const own = findAll(entry, ({ name }) => name === 'string' || name === 'langstring');
    return own.map(textOf).filter((text) => text !== '');
  });
  return {
    difficulty: difficulties.indexOf(level) + 1 || undefined,
    keywords: [...new Set(keywords)],
    point: point && childrenNamed(point, 'taxon').map(textOf).join(pointSeparator),
  };
}

// ---- tests -----------------------------------------------------------------------------------

/** An item in a test. `weight`: factor for the item's own points. */
export interface ItemReference {
  file: string;
  weight?: number | undefined;
}

export interface TestContent {
  references: ItemReference[];
  /** Text for candidates, which belongs to no item. */
  instructions: Element[];
  /** Sections from which candidates get some of the items, with the number of items they get. */
  selections: { title: string; count: string }[];
}

const maxSectionDepth = 30;

/** Reads the order and weights of a test's items. `load`: reads a section that has a file of its own. */
export async function readTest(
  test: Element,
  file: string,
  load: (file: string) => Promise<Element | undefined>,
): Promise<TestContent> {
  const content: TestContent = { references: [], instructions: [], selections: [] };
  const walk = async (element: Element, folder: string, depth: number): Promise<void> => {
    if (depth > maxSectionDepth) return;
    const selected = childNamed(element, 'selection')?.attributes.select;
    if (selected) content.selections.push({ title: element.attributes.title ?? '', count: selected });
    for (const child of elementsOf(element)) {
      const { href = '' } = child.attributes;
      if (child.name === 'testPart' || child.name === 'assessmentSection') await walk(child, folder, depth + 1);
      else if (child.name === 'rubricBlock') content.instructions.push(child);
      else if (child.name === 'assessmentItemRef') {
        const weight = Number(childNamed(child, 'weight')?.attributes.value ?? Number.NaN);
        content.references.push({ file: partName(folder, href), weight: weight >= 0 ? weight : undefined });
      } else if (child.name === 'assessmentSectionRef') {
        const name = partName(folder, href);
        const section = await load(name);
        if (section) await walk(section, posix.dirname(name), depth + 1);
      }
    }
  };
  await walk(test, posix.dirname(file), 0);
  return content;
}
