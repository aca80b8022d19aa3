/** Reads items of QTI 2.1, 2.2 and 3.0. `tree.ts` gives the elements of all three the names of QTI 2. */
import { questionTypes } from '#server/questions/rules.ts';
import { qtiMessages } from '../rules.ts';
import { type ContentContext, contentHtml } from './content.ts';
import {
  joinHtml,
  newQuestion,
  optionFeedbackTitle,
  type QtiOption,
  type QtiQuestion,
  type ReadItem,
  setBlanks,
  setChoice,
} from './qti-question.ts';
import { heldInteractions, inlineInteractions, isInteraction } from './qti2-interactions.ts';
import { MaterialReader, type PartReader } from './qti2-material.ts';
import { childNamed, childrenNamed, type Element, findAll, findNamed, isElement, type Node, textOf } from './tree.ts';
import { unsupportedMessage } from './types.ts';

/** Interactions that make a part of each item to match. */
const matchMessages: Readonly<Record<string, string>> = {
  matchInteraction: qtiMessages.matching,
  gapMatchInteraction: qtiMessages.gaps,
};
/** A button, which needs no answer. */
const isButton = ({ name }: Element): boolean => name === 'endAttemptInteraction';
const isFeedback = ({ name }: Element): boolean => name === 'feedbackInline' || name === 'feedbackBlock';

export function readQti2Item(item: Element, where: string, context: ContentContext): ReadItem {
  return new ItemReader(item, where, context).read();
}

class ItemReader implements PartReader {
  private readonly declarations: ReadonlyMap<string, Element>;
  private readonly question: QtiQuestion;
  private readonly context: ContentContext;

  private readonly item: Element;

  constructor(item: Element, where: string, context: ContentContext) {
    this.item = item;
    this.question = newQuestion(where, 1);
    this.context = {
      ...context,
      lose: (message) => this.question.losses.push(message),
      // Feedback would give away the answer, and interactions are read apart from the text.
      replace: (element) =>
        isFeedback(element) || isInteraction(element) || element.name === 'rubricBlock'
          ? { html: '', isBlock: false }
          : undefined,
    };
    this.declarations = new Map(
      childrenNamed(item, 'responseDeclaration').map((element) => [element.attributes.identifier ?? '', element]),
    );
  }

  read(): ReadItem {
    const { item, question } = this;
    if (childNamed(item, 'templateDeclaration')) return { leftOut: unsupportedMessage('templateDeclaration') };
    const body = childNamed(item, 'itemBody');
    const interactions = findAll(body, isInteraction).filter((element) => !isButton(element));
    const held = interactions.filter(({ name }) => heldInteractions.has(name));
    const others = [...new Set(interactions.filter((one) => !held.includes(one)).map(({ name }) => name))];
    if (interactions.length === 0) return { leftOut: qtiMessages.noInteraction };
    if (held.length === 0) return { leftOut: others.map(unsupportedMessage).join('；') };
    question.losses.push(...others.map(unsupportedMessage));
    if (item.attributes.adaptive === 'true') question.doubts.push(qtiMessages.adaptive);
    this.readBody(body as Element, held);
    this.readNotes(body as Element);
    this.readTolerances();
    question.score = this.score();
    return { question };
  }

  private readBody(body: Element, held: readonly Element[]): void {
    const parts = findAll(body, isOwnPart);
    if (parts.length > 0) this.readOwnParts(body, parts);
    else if (!this.readWhole(this.question, body.children, held)) {
      const messages = held.map(({ name }) => matchMessages[name] ?? qtiMessages.severalInteractions);
      this.question.doubts.push(...new Set(messages));
      new MaterialReader(this.question, this).read(body);
    }
  }

  /** Reads an item that the export wrote: each part has an element of its own. */
  private readOwnParts(body: Element, parts: readonly Element[]): void {
    const { question } = this;
    question.type = 6;
    question.stem = this.html(body.children, (element) =>
      isOwnPart(element) ? { html: '', isBlock: true } : undefined,
    );
    question.parts = parts.map((element, index) => {
      const part = newQuestion(this.question.where, 1);
      this.readWhole(part, element.children, findAll(element, isInteraction));
      const rubrics = findAll(body, ({ name }) => name === 'rubricBlock').filter((one) =>
        hasClass(one, `part-${index + 1}`),
      );
      const feedback = childrenNamed(this.item, 'modalFeedback').filter(isOfPart(index + 1));
      part.answer = this.htmlOf(rubrics.filter((one) => hasClass(one, 'right-answer')));
      part.analysis = this.htmlOf(feedback);
      part.remark = rubrics
        .filter((one) => hasClass(one, 'remark'))
        .map(textOf)
        .join('');
      part.difficulty = Number(classValue(element, 'difficulty')) || undefined;
      return part;
    });
  }

  /** Reads content that makes one question; false if it makes several. */
  readWhole(question: QtiQuestion, nodes: readonly Node[], held: readonly Element[]): boolean {
    const [only, ...more] = held;
    if (!only) return false;
    if (held.every(({ name }) => name === 'textEntryInteraction')) {
      question.type = 7;
      const bare = this.html(nodes);
      // Some programs draw the blank in the text, and place the box below it.
      const isDrawn = bare.match(/[_＿]{2,}/g)?.length === held.length;
      question.stem = isDrawn ? bare : this.html(nodes, (element) => this.inlinePlace(element, markOf));
      this.setTextEntries(question, held);
      return true;
    }
    if (more.length > 0 || matchMessages[only.name]) return false;
    this.setInteraction(question, only);
    question.stem = joinHtml(
      this.html(nodes, (element) => {
        if (element !== only) return undefined;
        return inlineInteractions.has(only.name) ? { html: '____', isBlock: false } : { html: '', isBlock: true };
      }),
      this.promptOf(only),
    );
    return true;
  }

  /** Sets the type, the options and the answer of a question with one interaction. */
  setInteraction(question: QtiQuestion, interaction: Element): void {
    if (interaction.name === 'extendedTextInteraction') {
      question.type = 5;
      question.answer = this.modelAnswer(interaction);
      return;
    }
    if (interaction.name === 'textEntryInteraction') {
      question.type = 7;
      this.setTextEntries(question, [interaction]);
      return;
    }
    const right = new Set(this.rightValues(interaction, question).map((value) => value.trim()));
    const choices = findAll(interaction, ({ name }) => ['simpleChoice', 'inlineChoice', 'hottext'].includes(name));
    const options = choices.map(
      (choice): QtiOption => ({
        html: this.html(choice.children),
        isRight: right.has(choice.attributes.identifier ?? ''),
      }),
    );
    const isMultiple =
      interaction.name !== 'inlineChoiceInteraction' &&
      this.declarationOf(interaction)?.attributes.cardinality === 'multiple' &&
      interaction.attributes.maxChoices !== '1';
    setChoice(question, options, isMultiple);
    const declared = questionTypes.find((type) => String(type) === classValue(interaction, 'question-type'));
    if (declared !== undefined && declared <= 4 && declared !== 2) question.type = declared;
  }

  private setTextEntries(question: QtiQuestion, interactions: readonly Element[]): void {
    const blanks = interactions.map((interaction) => this.acceptedTexts(interaction, question));
    question.ignoresCase = blanks.length > 0 && blanks.every(({ ignoresCase }) => ignoresCase);
    setBlanks(
      question,
      blanks.map(({ texts }) => texts),
    );
  }

  private declarationOf = (interaction: Element): Element | undefined =>
    this.declarations.get(interaction.attributes.responseIdentifier ?? '');

  /** Identifiers of the right choices: those declared, or else those that the mapping gives points for. */
  private rightValues(interaction: Element, question: QtiQuestion): string[] {
    const declaration = this.declarationOf(interaction);
    const correct = childrenNamed(childNamed(declaration, 'correctResponse'), 'value').map(textOf);
    const entries = mapEntries(declaration).filter(({ points }) => points > 0);
    if (entries.length > 0 && this.usesMapping(interaction)) {
      const isSingle = declaration?.attributes.cardinality !== 'multiple';
      const isPartial = isSingle ? entries.length > 1 : entries.length > 0;
      if (isPartial) question.doubts.push(qtiMessages.partialCredit);
    }
    if (correct.length > 0) return correct;
    const most = Math.max(...entries.map(({ points }) => points));
    const isMultiple = declaration?.attributes.cardinality === 'multiple';
    const rated = entries.filter(({ points }) => isMultiple || points === most).map(({ key }) => key);
    return rated.length > 0 ? rated : this.comparedValues(interaction);
  }

  /** Pairs of identifiers that a response must have. */
  rightPairs(interaction: Element): [string, string][] {
    const declaration = this.declarationOf(interaction);
    const correct = childrenNamed(childNamed(declaration, 'correctResponse'), 'value').map(textOf);
    const rated = mapEntries(declaration).filter(({ points }) => points > 0);
    const values = correct.length > 0 ? correct : rated.map(({ key }) => key);
    return values.map((value) => value.trim().split(/\s+/)).map(([one = '', other = '']) => [one, other]);
  }

  private usesMapping(interaction: Element): boolean {
    const processing = childNamed(this.item, 'responseProcessing');
    const { template = '' } = processing?.attributes ?? {};
    if (/map_response/.test(template)) return true;
    const identifier = interaction.attributes.responseIdentifier;
    return (
      findAll(processing, ({ name, attributes }) => name === 'mapResponse' && attributes.identifier === identifier)
        .length > 0
    );
  }

  /** Values that the response processing compares the response with and gives points for. */
  private comparedValues(interaction: Element): string[] {
    const identifier = interaction.attributes.responseIdentifier;
    const branches = findAll(childNamed(this.item, 'responseProcessing'), ({ name }) =>
      ['responseIf', 'responseElseIf'].includes(name),
    );
    return branches
      .flatMap((branch) => {
        const points = Math.max(
          ...childrenNamed(branch, 'setOutcomeValue')
            .filter(({ attributes }) => /^SCORE/.test(attributes.identifier ?? ''))
            .map((setter) => Number(textOf(findNamed(setter, 'baseValue')))),
        );
        if (!(points > 0)) return [];
        return findAll(branch, ({ name }) => ['match', 'stringMatch', 'equal', 'member'].includes(name))
          .filter((match) => findNamed(match, 'variable')?.attributes.identifier === identifier)
          .map((match) => textOf(findNamed(match, 'baseValue')))
          .filter((value) => value !== '')
          .slice(0, 1);
      })
      .slice(0, 1);
  }

  /** Texts that a blank accepts, the best first. */
  private acceptedTexts(interaction: Element, question: QtiQuestion): { texts: string[]; ignoresCase: boolean } {
    const declaration = this.declarationOf(interaction);
    const correct = childrenNamed(childNamed(declaration, 'correctResponse'), 'value').map(textOf);
    const entries = mapEntries(declaration).filter(({ points }) => points > 0);
    const most = Math.max(...entries.map(({ points }) => points));
    const full = entries.filter(({ points }) => points === most);
    if (full.length < entries.length) {
      question.doubts.push(
        qtiMessages.partialTexts(entries.filter(({ points }) => points < most).map(({ key }) => key)),
      );
    }
    const texts = [...correct, ...full.map(({ key }) => key)];
    const ignoresCase = full.length > 0 && full.every((entry) => entry.ignoresCase);
    return { texts: texts.length > 0 ? texts : this.comparedValues(interaction), ignoresCase };
  }

  private modelAnswer(interaction: Element): string {
    const rubrics = findAll(childNamed(this.item, 'itemBody'), ({ name }) => name === 'rubricBlock');
    const own = rubrics.filter((one) => hasClass(one, 'right-answer'));
    if (own.length > 0) return this.htmlOf(own);
    const values = childrenNamed(childNamed(this.declarationOf(interaction), 'correctResponse'), 'value');
    return joinHtml(...values.map((value) => this.html([textOf(value)])));
  }

  promptOf = (interaction: Element): string => {
    const prompt = this.html(childNamed(interaction, 'prompt')?.children ?? []);
    if (interaction.name !== 'hottextInteraction') return prompt;
    // The choices are marked in the text itself.
    const text = interaction.children.filter((node) => !isElement(node) || node.name !== 'prompt');
    const marked = this.html(text, (element) =>
      element.name === 'hottext' ? { html: `<u>${this.html(element.children)}</u>`, isBlock: false } : undefined,
    );
    return joinHtml(prompt, marked);
  };

  inlinePlace = (element: Element, mark: (element: Element) => string) =>
    inlineInteractions.has(element.name) ? { html: mark(element), isBlock: false } : undefined;

  html(nodes: readonly Node[], replace?: ContentContext['replace']): string {
    return contentHtml(nodes, {
      ...this.context,
      replace: (element) => replace?.(element) ?? this.context.replace?.(element),
    });
  }

  private htmlOf = (elements: readonly Element[]): string =>
    joinHtml(...elements.map(({ children }) => this.html(children)));

  /** Rubrics for the candidate introduce the question; others, and feedback, explain its answer. */
  private readNotes(body: Element): void {
    const { question } = this;
    const rubrics = findAll(body, ({ name }) => name === 'rubricBlock').filter(
      (element) => !hasClass(element, 'right-answer') && !hasClass(element, 'remark'),
    );
    const isShown = (element: Element) => /\bcandidate\b/.test(element.attributes.view ?? 'candidate');
    const introduction = rubrics.filter(isShown).map(({ children }) => this.html(children));
    if (introduction.length > 0) question.stem = joinHtml(...introduction, question.stem);
    const feedback = [
      ...findAll(body, (element) => isFeedback(element) || isInteraction(element))
        .filter(isFeedback)
        .map((element) => ({ element, label: '' })),
      ...this.choiceFeedback(body),
      ...childrenNamed(this.item, 'modalFeedback')
        .filter((element) => !isOfPart()(element))
        .map((element) => ({ element, label: feedbackLabel(element) })),
    ];
    question.analysis = joinHtml(
      ...rubrics.filter((element) => !isShown(element)).map(({ children }) => this.html(children)),
      ...feedback.flatMap(({ element, label }) => {
        const html = this.html(element.children);
        return html === '' ? [] : [label, html];
      }),
    );
  }

  private choiceFeedback(body: Element): { element: Element; label: string }[] {
    return findAll(body, isInteraction).flatMap((interaction) => {
      const choices = findAll(interaction, ({ name }) => name === 'simpleChoice');
      return choices.flatMap((choice, index) =>
        findAll(choice, isFeedback).map((element) => ({ element, label: optionFeedbackTitle(this.question, index) })),
      );
    });
  }

  private readTolerances(): void {
    const processing = childNamed(this.item, 'responseProcessing');
    const equal = findAll(
      processing,
      ({ name, attributes }) => name === 'equal' && (attributes.toleranceMode ?? 'exact') !== 'exact',
    );
    const isNumeric = [...this.declarations.values()].some(({ attributes }) =>
      /^(?:float|integer)$/.test(attributes.baseType ?? ''),
    );
    if (equal.length > 0 && isNumeric) this.question.doubts.push(qtiMessages.tolerance);
  }

  /** Points of the item itself; a test may weigh them. */
  private score(): number | undefined {
    const outcomes = childrenNamed(this.item, 'outcomeDeclaration');
    const outcome = (name: string) => outcomes.find(({ attributes }) => attributes.identifier === name);
    const declared = Number(textOf(findNamed(outcome('MAXSCORE'), 'value')));
    const normal = Number(outcome('SCORE')?.attributes.normalMaximum);
    return [declared, normal].find((points) => points > 0);
  }
}

const hasClass = ({ attributes }: Element, name: string): boolean =>
  (attributes.class ?? '').split(/\s+/).includes(name);

/** Returns the end of a class such as `difficulty-3`, which the export writes. */
export const classValue = ({ attributes }: Element, name: string): string | undefined =>
  new RegExp(`(?:^|\\s)${name}-(\\d+)(?:\\s|$)`).exec(attributes.class ?? '')?.[1];

const isOwnPart = (element: Element): boolean => element.name === 'div' && hasClass(element, 'question-part');

/** Returns the mark of a blank. The export notes in `label` how the stem marks it, if not by `____`. */
function markOf({ attributes: { label } }: Element): string {
  if (label === undefined) return '____';
  if (/^[\s\u00a0]+$/.test(label)) return `<u>${label}</u>`;
  return /^(?:[_＿]*|[（(][\s\u00a0]*[）)])$/.test(label) ? label : '____';
}

/** Matches the export's feedback of a part; without a number, of any part. */
const isOfPart =
  (number?: number) =>
  ({ attributes: { identifier = '' } }: Element): boolean =>
    number === undefined ? /^ANALYSIS_\d+$/.test(identifier) : identifier === `ANALYSIS_${number}`;

function feedbackLabel({ attributes: { identifier = '' } }: Element): string {
  if (/incorrect|wrong/i.test(identifier)) return qtiMessages.wrongFeedback;
  return /correct|right/i.test(identifier) ? qtiMessages.rightFeedback : '';
}

const mapEntries = (declaration: Element | undefined): { key: string; points: number; ignoresCase: boolean }[] =>
  childrenNamed(childNamed(declaration, 'mapping'), 'mapEntry').map(({ attributes }) => ({
    key: attributes.mapKey ?? '',
    points: Number(attributes.mappedValue),
    ignoresCase: attributes.caseSensitive === 'false',
  }));
