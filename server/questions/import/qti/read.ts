/** Reads questions from QTI: 1.2 (also of Canvas, Blackboard and Common Cartridge), 2.1, 2.2 and 3.0. */
import { posix } from 'node:path';
import { DamagedFile } from '#server/platform/office/xml.ts';
import { plainText } from '#server/platform/text/plain-text.ts';
import type { ImportNote, ImportPreview, PreviewFormat } from '../imported-question.ts';
import type { QuestionsReader, ReadingOptions } from '../reading.ts';
import { maxImportedQuestions, previewRefusals, qtiMessages } from '../rules.ts';
import { type ContentContext, contentHtml } from './content.ts';
import type { DocumentKind } from './document-kind.ts';
import { type ItemReference, openPackage, partName, type QtiDocument, type QtiPackage, readTest } from './package.ts';
import { createQtiPictures, type QtiPictures } from './pictures.ts';
import { finishQuestion, joinHtml, newQuestion, picturesOf, type QtiQuestion, type ReadItem } from './qti-question.ts';
import { metadataOf, readQti1Item } from './qti1.ts';
import { readQti2Item } from './qti2.ts';
import {
  childNamed,
  childrenNamed,
  DeclaredEntities,
  type Element,
  elementsOf,
  findAll,
  findNamed,
  parseXml,
  textOf,
} from './tree.ts';

/** Share of the progress that reading the file takes; storing pictures takes the rest. */
const readingShare = 0.6;

export const readQtiQuestions: QuestionsReader = async (bytes, options = {}) => {
  try {
    const opened = await openPackage(bytes);
    if ('refused' in opened) return opened;
    try {
      return await new QtiReading(opened, options).preview();
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (error instanceof DamagedFile) return { refused: qtiMessages.damagedFile };
    if (error instanceof DeclaredEntities) return { refused: qtiMessages.entities };
    throw error;
  }
};

/** A question, or a text that other items may share. */
interface ReadEntry {
  question: QtiQuestion;
  /** Identifier of the item. */
  ident: string;
  /** Item of a question bank that this one is a copy of. */
  copyOf?: string | undefined;
  isOnlyText: boolean;
}

class QtiReading {
  private readonly entries: ReadEntry[] = [];
  private readonly errors: ImportNote[] = [];
  private readonly leftOut: ImportNote[] = [];
  private readonly doubts: ImportNote[] = [];
  private readonly kinds = new Set<DocumentKind>();
  private readonly stimuli = new Map<string, Element>();
  private readonly pictures: QtiPictures;
  /** Number of items read, with the ones left out. */
  private count = 0;
  private tests = 0;
  /** Identifiers of banks and items: named by tests, and found in the file. */
  private readonly wanted = new Map<string, string>();
  private readonly present = new Set<string>();
  /** Sections of QTI 1.2 that hold items. */
  private readonly filled = new WeakSet<Element>();

  private readonly pack: QtiPackage;
  private readonly options: ReadingOptions;

  constructor(pack: QtiPackage, options: ReadingOptions) {
    this.pack = pack;
    this.options = options;
    this.pictures = createQtiPictures(pack.zip, options.savePicture);
  }

  async preview(): Promise<ImportPreview | { refused: string }> {
    const references = await this.readTests();
    const weights = new Map(references.map((reference) => [reference.file.toLowerCase(), reference]));
    const documents = this.inOrder(references);
    for (const [index, document] of documents.entries()) {
      await this.readDocument(document, weights.get(document.name.toLowerCase()));
      if (this.entries.length > maxImportedQuestions) return { refused: previewRefusals.tooManyQuestions };
      this.options.onProgress?.((readingShare * (index + 1)) / documents.length);
    }
    this.noteMissingBanks();
    return this.finish(this.withMaterials(this.withoutCopies()));
  }

  // ---- documents -------------------------------------------------------------------------------

  /** Reads a document; a damaged one is named, and the others are read. */
  private async load(name: string): Promise<Element | undefined> {
    try {
      return parseXml(await this.pack.read(name));
    } catch (error) {
      if (!(error instanceof DamagedFile) || name === '') throw error;
      this.errors.push({ where: name, message: qtiMessages.damagedDocument });
      return undefined;
    }
  }

  private async readTests(): Promise<ItemReference[]> {
    const references: ItemReference[] = [];
    for (const { name, kind } of this.pack.documents) {
      if (kind === 'stimulus') {
        const stimulus = await this.load(name);
        if (stimulus) this.stimuli.set(name.toLowerCase(), stimulus);
      }
      if (kind !== 'test') continue;
      const test = await this.load(name);
      if (!test) continue;
      this.tests += 1;
      const names = new Set(this.pack.documents.map((document) => document.name.toLowerCase()));
      const isPresent = (file: string) => names.has(file.toLowerCase());
      const content = await readTest(test, name, async (file) => (isPresent(file) ? await this.load(file) : undefined));
      references.push(...content.references.filter(({ file }) => isPresent(file)));
      const missing = content.references.map(({ file }) => file).filter((file) => !isPresent(file));
      if (missing.length > 0) {
        this.leftOut.push({ where: test.attributes.title || name, message: qtiMessages.missingItems(missing) });
      }
      for (const { title, count } of content.selections) {
        this.doubts.push({ where: title || name, message: qtiMessages.selection(count) });
      }
      for (const text of content.instructions) this.noteText(test.attributes.title || name, textOf(text));
    }
    return references;
  }

  private inOrder(references: readonly ItemReference[]): QtiDocument[] {
    const order = new Map<string, number>();
    for (const { file } of references) if (!order.has(file.toLowerCase())) order.set(file.toLowerCase(), order.size);
    const rank = ({ name }: QtiDocument) => order.get(name.toLowerCase()) ?? order.size;
    return this.pack.documents
      .filter(({ kind }) => kind === 'item2' || kind === 'item3' || kind === 'qti1')
      .sort((one, other) => rank(one) - rank(other));
  }

  private async readDocument({ name, kind }: QtiDocument, reference: ItemReference | undefined): Promise<void> {
    this.kinds.add(kind);
    if (kind === 'qti1') return this.readQti1(name);
    const item = await this.load(name);
    if (item) this.readItem2(item, name, reference);
  }

  private context(file: string): ContentContext {
    const folder = posix.dirname(file || '.');
    return { folder: folder === '.' ? '' : folder, pictures: this.pictures, lose: () => {} };
  }

  private place(item: Element): string {
    this.count += 1;
    const title = (item.attributes.title ?? item.attributes.ident ?? '').replace(/\s+/g, ' ').trim();
    return qtiMessages.item(this.count, title);
  }

  private add(read: ReadItem, where: string, entry: Omit<ReadEntry, 'question' | 'isOnlyText'>): void {
    if ('leftOut' in read) {
      if (read.text) this.entries.push({ ...entry, question: read.text, isOnlyText: true });
      else this.leftOut.push({ where, message: read.leftOut });
      return;
    }
    this.entries.push({ ...entry, question: read.question, isOnlyText: false });
  }

  // ---- QTI 2 and 3 ------------------------------------------------------------------------------

  private readItem2(item: Element, file: string, reference: ItemReference | undefined): void {
    const where = this.place(item);
    const read = readQti2Item(item, where, this.context(file));
    if ('question' in read) {
      const { question } = read;
      const metadata = this.pack.metadata.get(file.toLowerCase());
      question.difficulty ??= metadata?.difficulty;
      question.remark = metadata?.keywords.join('、') ?? '';
      question.point = metadata?.point;
      if (reference?.weight !== undefined) question.score = (question.score ?? 1) * reference.weight;
      const shared = childNamed(item, 'assessmentStimulusRef')?.attributes.href;
      if (shared !== undefined) question.material = partName(this.context(file).folder, shared).toLowerCase();
    }
    this.add(read, where, { ident: item.attributes.identifier ?? '' });
  }

  // ---- QTI 1.2 --------------------------------------------------------------------------------

  private async readQti1(file: string): Promise<void> {
    const bytes = await this.pack.read(file);
    const context = this.context(file);
    const take = (element: Element, path: readonly Element[]): void => {
      if (element.name === 'bankentry_item') {
        this.noteBankEntry(element);
        return;
      }
      const where = this.place(element);
      const read = readQti1Item(element, where, context);
      const points = path.flatMap((around) =>
        findAll(childNamed(around, 'selection_ordering'), ({ name }) => name === 'points_per_item'),
      );
      if ('question' in read && points.length > 0) read.question.score = Number(textOf(points.at(-1))) || undefined;
      this.present.add(element.attributes.ident ?? '');
      for (const around of path) this.filled.add(around);
      this.add(read, where, {
        ident: element.attributes.ident ?? '',
        copyOf: metadataOf(element).get('assessment_question_identifierref'),
      });
    };
    try {
      const root = parseXml(bytes, { names: new Set(['item', 'bankentry_item']), take });
      for (const bank of childrenNamed(root, 'objectbank')) this.present.add(bank.attributes.ident ?? '');
      for (const assessment of childrenNamed(root, 'assessment')) this.readAssessment(assessment);
    } catch (error) {
      if (!(error instanceof DamagedFile) || file === '') throw error;
      this.errors.push({ where: file, message: qtiMessages.damagedDocument });
    }
  }

  /** Reads what an assessment has beside its items. */
  private readAssessment(assessment: Element): void {
    this.tests += 1;
    const { title = '' } = assessment.attributes;
    for (const section of [assessment, ...sectionsOf(assessment)]) {
      const ordering = childNamed(section, 'selection_ordering');
      const count = textOf(findNamed(ordering, 'selection_number'));
      const bank = findNamed(ordering, 'sourcebank_ref');
      if (bank && !this.filled.has(section)) this.wanted.set(textOf(bank), title);
      else if (count) this.doubts.push({ where: title, message: qtiMessages.selection(count) });
    }
    for (const text of findAll(assessment, ({ name }) => name === 'presentation_material' || name === 'rubric')) {
      this.noteText(title, textOf(text));
    }
  }

  private noteBankEntry({ attributes }: Element): void {
    const { item_ref: item = '', sourcebank_ref: bank = '' } = attributes;
    this.wanted.set(item || bank, '');
  }

  private noteMissingBanks(): void {
    for (const [ident, title] of this.wanted) {
      if (!this.present.has(ident)) this.leftOut.push({ where: title || '试卷', message: qtiMessages.missingBank });
    }
  }

  private noteText(where: string, text: string): void {
    const shown = plainText(text).replace(/\s+/g, ' ').trim();
    if (shown !== '') this.leftOut.push({ where, message: qtiMessages.instructions(shown) });
  }

  // ---- result ---------------------------------------------------------------------------------

  /** Canvas copies a question of a bank into each quiz; the copy is read, unless it has been changed. */
  private withoutCopies(): ReadEntry[] {
    const content = ({ question: { type, stem, options, blanks, answer } }: ReadEntry) =>
      JSON.stringify([type, stem, options, blanks, answer]);
    const copies = new Map(this.entries.filter(({ copyOf }) => copyOf).map((entry) => [entry.copyOf, content(entry)]));
    return this.entries.filter((entry) => copies.get(entry.ident) !== content(entry));
  }

  /** Makes one material question of the items that share a text, at the place of the first. */
  private withMaterials(entries: readonly ReadEntry[]): QtiQuestion[] {
    const texts = new Map(entries.filter(({ isOnlyText }) => isOnlyText).map((entry) => [entry.ident, entry.question]));
    const materials = new Map<string, QtiQuestion>();
    const questions: QtiQuestion[] = [];
    for (const { question, isOnlyText } of entries) {
      const { material: ident } = question;
      if (isOnlyText) continue;
      if (ident === undefined) {
        questions.push(question);
        continue;
      }
      const stem = this.stimulusHtml(ident) ?? texts.get(ident)?.stem;
      if (stem === undefined) {
        question.doubts.push(qtiMessages.missingMaterial);
        questions.push(question);
        continue;
      }
      let material = materials.get(ident);
      if (!material) {
        material = { ...newQuestion(question.where, 6), stem, difficulty: question.difficulty, score: 0 };
        materials.set(ident, material);
        questions.push(material);
      }
      addPart(material, question);
    }
    for (const [ident, { where, stem }] of texts) if (!materials.has(ident)) this.noteText(where, stem);
    return questions;
  }

  private stimulusHtml(file: string): string | undefined {
    const stimulus = this.stimuli.get(file);
    return stimulus && contentHtml(elementsOf(childNamed(stimulus, 'stimulusBody')), this.context(file));
  }

  private async finish(questions: readonly QtiQuestion[]): Promise<ImportPreview> {
    const { errors, leftOut, doubts } = this;
    const preview: ImportPreview = { format: this.format(), questions: [], errors, leftOut, doubts };
    const isUnrated = questions.every(({ difficulty }) => difficulty === undefined);
    if (isUnrated && questions.length > 0) doubts.push({ where: '文件', message: qtiMessages.noDifficulty });
    for (const [index, question] of questions.entries()) {
      await this.pictures.keep(picturesOf(question));
      preview.questions.push(finishQuestion(question, this.pictures.kept, isUnrated));
      this.options.onProgress?.(readingShare + ((1 - readingShare) * (index + 1)) / questions.length);
    }
    if (questions.length === 0) errors.push({ where: '文件', message: this.reasonForNothing() });
    return preview;
  }

  private format(): PreviewFormat {
    if (this.pack.isCartridge) return 'imscc';
    if (this.kinds.has('item3')) return 'qti30';
    return this.kinds.has('item2') ? 'qti21' : 'qti12';
  }

  /** A file without questions is an error that says what it has instead. */
  private reasonForNothing(): string {
    if (this.count > 0) return qtiMessages.noneHeld(this.count);
    if ([...this.wanted.keys()].some((ident) => !this.present.has(ident))) return qtiMessages.onlyReferences;
    if (this.tests > 0 || this.kinds.size > 0) return qtiMessages.emptyTest;
    return qtiMessages.noDocuments(this.pack.zip?.names ?? []);
  }
}

const sectionsOf = (element: Element): Element[] =>
  childrenNamed(element, 'section').flatMap((section) => [section, ...sectionsOf(section)]);

function addPart(material: QtiQuestion, part: QtiQuestion): void {
  const isWhole = material.score !== undefined && part.score !== undefined;
  material.score = isWhole ? (material.score as number) + (part.score as number) : undefined;
  material.difficulty ??= part.difficulty;
  if (part.type !== 6) {
    material.parts.push(part);
    return;
  }
  // An item with several interactions has a text of its own, and parts cannot have parts.
  material.stem = joinHtml(material.stem, part.stem);
  material.parts.push(...part.parts);
  material.doubts.push(...part.doubts);
  material.losses.push(...part.losses);
}
