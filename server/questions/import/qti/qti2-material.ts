/** Splits an item of QTI 2 or 3 with several interactions into a material and its parts. */
import { qtiMessages } from '../rules.ts';
import type { ContentContext } from './content.ts';
import { joinHtml, newQuestion, type QtiOption, type QtiQuestion, setChoice } from './qti-question.ts';
import { heldInteractions, inlineInteractions, isInteraction } from './qti2-interactions.ts';
import { childrenNamed, type Element, elementsOf, findAll, isElement, type Node } from './tree.ts';

/** Reads the pieces of an item. */
export interface PartReader {
  html(nodes: readonly Node[], replace?: ContentContext['replace']): string;
  promptOf(interaction: Element): string;
  /** Pairs of identifiers that a response must have. */
  rightPairs(interaction: Element): [string, string][];
  /** Sets the type, the options and the answer of a question with one interaction. */
  setInteraction(question: QtiQuestion, interaction: Element): void;
  /** Reads content that makes one question; false if it makes several. */
  readWhole(question: QtiQuestion, nodes: readonly Node[], held: readonly Element[]): boolean;
  inlinePlace(element: Element, mark: (element: Element) => string): ReturnType<NonNullable<ContentContext['replace']>>;
}

export class MaterialReader {
  /** Blocks read since the last part: material before the first one, then the text of the next part. */
  private pending: Node[] = [];
  private readonly material: string[] = [];
  private places = 0;

  private readonly question: QtiQuestion;
  private readonly reader: PartReader;

  constructor(question: QtiQuestion, reader: PartReader) {
    this.question = question;
    this.reader = reader;
  }

  read(body: Element): void {
    this.question.type = 6;
    this.readBlocks(body.children);
    this.material.push(this.reader.html(this.pending));
    this.question.stem = joinHtml(...this.material);
  }

  private readBlocks(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (!isElement(node)) {
        this.pending.push(node);
        continue;
      }
      const interactions = isInteraction(node) ? [node] : findAll(node, isInteraction);
      const held = interactions.filter(({ name }) => heldInteractions.has(name));
      if (held.length === 0) {
        if (!isInteraction(node)) this.pending.push(node);
      } else if (node.name === 'matchInteraction') this.addMatch(node);
      else if (node.name === 'gapMatchInteraction') this.addGaps(node);
      else if (node === held[0]) this.addPart(node);
      else if (held.every(({ name }) => name === 'textEntryInteraction')) this.addBlanks(node, held);
      else if (held.every(({ name }) => inlineInteractions.has(name))) this.addPlaces(node);
      else this.readBlocks(node.children);
    }
  }

  /** A block that is an interaction. Without a prompt, the block before it asks the question. */
  private addPart(interaction: Element): void {
    const part = newQuestion(this.question.where, 1);
    const prompt = this.reader.promptOf(interaction);
    const blocks = this.pending.filter((node) => isElement(node) || node.trim() !== '');
    const asks = prompt === '' && blocks.length > 0 ? blocks.slice(-1) : [];
    const isFirst = this.question.parts.length === 0;
    const before = blocks.slice(0, blocks.length - asks.length);
    if (isFirst) this.material.push(this.reader.html(before));
    part.stem = joinHtml(this.reader.html(isFirst ? asks : [...before, ...asks]), prompt);
    if (part.stem === '') part.stem = qtiMessages.place(this.question.parts.length + 1);
    this.pending = [];
    this.reader.setInteraction(part, interaction);
    this.question.parts.push(part);
  }

  /** Each item of one side is a part, and the other side are its options. */
  private addMatch(interaction: Element): void {
    this.flush();
    this.material.push(this.reader.promptOf(interaction));
    const [first = [], second = []] = childrenNamed(interaction, 'simpleMatchSet').map((set) => elementsOf(set));
    const pairs = this.reader.rightPairs(interaction);
    const isPair = (one: Element, other: Element) =>
      pairs.some((pair) => pair.includes(idOf(one)) && pair.includes(idOf(other)));
    const isWhole = (side: readonly Element[]) => side.every((one) => pairs.some((pair) => pair.includes(idOf(one))));
    // Items without a partner only distract, so they are options.
    const [items, options] = isWhole(first) || !isWhole(second) ? [first, second] : [second, first];
    for (const item of items) {
      const choices = options.map((option) => ({
        html: this.reader.html(option.children),
        isRight: isPair(item, option),
      }));
      this.addChoice(this.reader.html(item.children), choices);
    }
  }

  /** Each gap of a text is a part, and the words to put there are its options. */
  private addGaps(interaction: Element): void {
    this.flush();
    const isWord = (node: Node): node is Element => isElement(node) && /^gap(?:Text|Img)$/.test(node.name);
    const words = interaction.children.filter(isWord);
    const pairs = this.reader.rightPairs(interaction);
    const text = interaction.children.filter((node) => !isWord(node));
    const html = this.reader.html(text, (element) => {
      if (element.name === 'prompt') return { html: `<p>${this.reader.promptOf(interaction)}</p>`, isBlock: true };
      if (element.name !== 'gap') return undefined;
      this.places += 1;
      const choices = words.map((word) => ({
        html: this.reader.html(word.children),
        isRight: pairs.some(([from, to]) => from === idOf(word) && to === idOf(element)),
      }));
      this.addChoice(qtiMessages.place(this.places), choices);
      return { html: `（${this.places}）____`, isBlock: false };
    });
    this.material.push(html);
  }

  private addChoice(stem: string, options: readonly QtiOption[]): void {
    const part = newQuestion(this.question.where, 1);
    part.stem = stem;
    setChoice(part, options, options.filter(({ isRight }) => isRight).length > 1);
    this.question.parts.push(part);
  }

  private addBlanks(block: Element, held: readonly Element[]): void {
    const part = newQuestion(this.question.where, 7);
    this.flush();
    this.reader.readWhole(part, [block], held);
    this.question.parts.push(part);
  }

  /** Menus in a text: the text belongs to the material, and each place is a part. */
  private addPlaces(block: Element): void {
    this.flush();
    const html = this.reader.html([block], (element) =>
      this.reader.inlinePlace(element, (interaction) => {
        this.places += 1;
        const part = newQuestion(this.question.where, 1);
        part.stem = qtiMessages.place(this.places);
        this.reader.setInteraction(part, interaction);
        if (part.type === 7) part.stem = `${part.stem}____`;
        this.question.parts.push(part);
        return `（${this.places}）____`;
      }),
    );
    this.material.push(html);
  }

  private flush(): void {
    this.material.push(this.reader.html(this.pending));
    this.pending = [];
  }
}

const idOf = ({ attributes }: Element): string => attributes.identifier ?? '';
