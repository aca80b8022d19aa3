/** Reads items of QTI 1.2: plain ones, and items of Canvas, Blackboard and Common Cartridge. */
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
  withMarkedBlanks,
} from './qti-question.ts';
import { type Award, awardsChoice, awardsOf } from './qti1-awards.ts';
import { materialNodes, replacePlaces } from './qti1-material.ts';
import {
  childNamed,
  childrenNamed,
  type Element,
  elementsOf,
  escapeText,
  findAll,
  findNamed,
  type Node,
  textOf,
} from './tree.ts';
import { unsupportedMessage } from './types.ts';

/** Metadata of an item or assessment by label, in lower case. */
export function metadataOf(element: Element): ReadonlyMap<string, string> {
  const container = childNamed(element, 'itemmetadata') ?? childNamed(element, 'qtimetadata');
  const fields = findAll(container, ({ name }) => /^qti_?metadatafield$/.test(name)).map((field): [string, string] => [
    textOf(childNamed(field, 'fieldlabel')).toLowerCase(),
    textOf(childNamed(field, 'fieldentry')),
  ]);
  // Older files and Blackboard have an element for each field.
  const elements = elementsOf(container)
    .filter(({ name }) => /^(?:qmd|bbmd)_/.test(name))
    .map((field): [string, string] => [field.name.toLowerCase(), textOf(field)]);
  return new Map([...elements, ...fields]);
}

export function readQti1Item(item: Element, where: string, context: ContentContext): ReadItem {
  const reader = new ItemReader(item, where, context);
  return reader.read();
}

interface Response {
  element: Element;
  ident: string;
  labels: { ident: string; nodes: Node[] }[];
}

class ItemReader {
  private readonly metadata: ReadonlyMap<string, string>;
  private readonly question: QtiQuestion;
  private readonly responses: Response[];
  private readonly awards: Award[];
  private readonly presentation: Element | undefined;

  private readonly item: Element;
  private readonly context: ContentContext;

  constructor(item: Element, where: string, context: ContentContext) {
    this.item = item;
    this.metadata = metadataOf(item);
    this.question = newQuestion(where, 1);
    this.context = { ...context, lose: (message) => this.question.losses.push(message) };
    this.presentation = childNamed(item, 'presentation');
    this.responses = findAll(
      this.presentation,
      ({ name }) => name.startsWith('response_') && name !== 'response_label',
    ).map((element) => ({
      element,
      ident: element.attributes.ident ?? '',
      labels: findAll(element, ({ name }) => name === 'response_label').map((label) => ({
        ident: label.attributes.ident ?? '',
        nodes: [label],
      })),
    }));
    this.awards = awardsOf(item);
  }

  read(): ReadItem {
    const { question, metadata } = this;
    const points = Number(
      metadata.get('points_possible') ??
        metadata.get('qmd_absolutescore_max') ??
        metadata.get('qmd_weighting') ??
        Number.NaN,
    );
    const declared = Number(findNamed(this.item, 'decvar')?.attributes.maxvalue ?? Number.NaN);
    // Canvas writes the share of the points in percent, so 100 is no score.
    question.score = points > 0 ? points : declared > 0 && declared < 100 ? declared : undefined;
    question.material = metadata.get('parent_stimulus_item_ident');
    question.remark = metadata.get('qmd_topic') ?? metadata.get('bbmd_keywords') ?? '';
    const answer = this.readKind(this.kind());
    if (answer) return answer;
    this.readFeedback();
    return { question };
  }

  /** Kind of the item as the program that wrote it names it; '' if it does not. */
  private kind(): string {
    const { metadata } = this;
    return (
      metadata.get('question_type') ??
      metadata.get('cc_profile')?.replace(/\.v0p\d$/, '') ??
      metadata.get('bbmd_questiontype') ??
      metadata.get('qmd_questiontype') ??
      ''
    );
  }

  private readKind(kind: string): ReadItem | undefined {
    switch (kind) {
      case 'multiple_choice_question':
      case 'cc.multiple_choice':
      case 'Multiple Choice':
      case 'true_false_question':
      case 'cc.true_false':
      case 'True/False':
      case 'Either/Or':
        return this.readChoice(false);
      case 'multiple_answers_question':
      case 'cc.multiple_response':
      case 'Multiple Answer':
      case 'Multi-Select':
        return this.readChoice(true);
      case 'short_answer_question':
      case 'cc.fib':
      case 'cc.pattern_match':
      case 'Fill in the Blank':
      case 'numerical_question':
      case 'Numeric':
        return this.readFillIn();
      case 'fill_in_multiple_blanks_question':
      case 'Fill in the Blank Plus':
        return this.readNamedBlanks();
      case 'multiple_dropdowns_question':
        return this.readDropdowns();
      case 'matching_question':
        return this.responses.length > 0 ? this.readSeveralChoices(kind) : { leftOut: qtiMessages.noInteraction };
      case 'essay_question':
      case 'cc.essay':
      case 'Essay':
      case 'Short Response':
      case 'Long Answer':
      case 'Written Response':
        return this.readShortAnswer();
      case 'text_only_question':
        return this.readText();
      default:
        return this.isKnownUnsupported(kind) ? { leftOut: unsupportedMessage(kind) } : this.readByStructure(kind);
    }
  }

  private isKnownUnsupported = (kind: string): boolean => !unsupportedMessage(kind).startsWith(`题型“${kind}”`);

  /** Reads an item whose program names no kind, by its responses. */
  private readByStructure(kind: string): ReadItem | undefined {
    const [first, ...more] = this.responses;
    if (!first) return kind ? { leftOut: unsupportedMessage(kind) } : this.readText();
    for (const { element } of this.responses) {
      if (element.attributes.rcardinality === 'Ordered') return { leftOut: unsupportedMessage('ordered') };
      const render = elementsOf(element).find(({ name }) => name.startsWith('render_'))?.name ?? '';
      const unknown = [element.name, render].find((name) =>
        /^(?:response_(?:xy|grp|extension)|render_(?:hotspot|slider|extension))$/.test(name),
      );
      if (unknown) return { leftOut: unsupportedMessage(unknown) };
    }
    const isChoice = this.responses.every(({ element }) => childNamed(element, 'render_choice'));
    if (isChoice) {
      if (more.length > 0) return this.readSeveralChoices(kind);
      return this.readChoice(first.element.attributes.rcardinality === 'Multiple');
    }
    if (this.responses.some(({ element }) => childNamed(element, 'render_choice'))) {
      return { leftOut: unsupportedMessage('response_grp') };
    }
    const isAnswered = this.awards.some(({ comparisons }) => comparisons.length > 0);
    return isAnswered || more.length > 0 ? this.readFillIn() : this.readShortAnswer();
  }

  // ---- choice --------------------------------------------------------------------------------

  private readChoice(isMultiple: boolean): ReadItem | undefined {
    const { question } = this;
    const [response] = this.responses;
    if (!response) return { leftOut: qtiMessages.noInteraction };
    question.stem = this.stem();
    setChoice(question, this.optionsOf(response, isMultiple, question), isMultiple);
    return undefined;
  }

  private optionsOf({ ident, labels }: Response, isMultiple: boolean, question: QtiQuestion): QtiOption[] {
    const awards = this.awards.filter(({ comparisons }) => comparisons.some((one) => awardsChoice(one, ident)));
    const most = Math.max(...awards.map(({ points }) => points));
    const best = isMultiple ? awards : awards.filter(({ points }) => points === most);
    const isPartial = awards.some(({ points }) => points !== most) || (isMultiple && awards.length > 1);
    if (isPartial) question.doubts.push(qtiMessages.partialCredit);
    const right = new Set(
      best.flatMap(({ comparisons }) =>
        comparisons.filter((one) => awardsChoice(one, ident)).map(({ value }) => value),
      ),
    );
    return labels.map(({ ident: option, nodes }) => ({ html: this.html(nodes), isRight: right.has(option) }));
  }

  /** Several choices in one item, such as a matching question: a material with parts. */
  private readSeveralChoices(kind: string): ReadItem | undefined {
    const sets = this.responses.map(({ labels }) => labels.map(({ ident }) => ident).join(' '));
    const isMatching = kind === 'matching_question' || sets.every((set) => set === sets[0]);
    this.question.type = 6;
    this.question.stem = this.stem();
    this.question.doubts.push(isMatching ? qtiMessages.matching : qtiMessages.severalInteractions);
    this.question.parts = this.responses.map((response, index) => {
      const part = newQuestion(this.question.where, 1);
      part.stem = this.html(childrenNamed(response.element, 'material')) || qtiMessages.place(index + 1);
      const isMultiple = response.element.attributes.rcardinality === 'Multiple';
      setChoice(part, this.optionsOf(response, isMultiple, part), isMultiple);
      return part;
    });
    return undefined;
  }

  /** A text with menus: a material whose parts are the menus. */
  private readDropdowns(): ReadItem | undefined {
    const { question } = this;
    const places = this.namedPlaces();
    question.type = 6;
    question.stem = replacePlaces(this.stem(), places, (_, index) => `（${index + 1}）____`);
    question.parts = places.map(({ response }, index) => {
      const part = newQuestion(question.where, 1);
      part.stem = qtiMessages.place(index + 1);
      part.type = 1;
      part.options = this.optionsOf(response, false, part);
      return part;
    });
    return undefined;
  }

  // ---- blanks --------------------------------------------------------------------------------

  /** Reads a fill-in question. Its blanks are named in the text, lie between its pieces, or have no place. */
  private readFillIn(): ReadItem | undefined {
    const { question } = this;
    question.type = 7;
    const texts = this.responses.filter(({ element }) => !childNamed(element, 'render_choice'));
    const places = new Set(texts.map(({ element }) => element));
    const stem = this.stem((element) => (places.has(element) ? '____' : undefined));
    question.stem = withMarkedBlanks(stem, texts.length);
    this.setBlanks(texts.map(({ ident }) => this.acceptedTexts(ident)));
    return undefined;
  }

  /** Blanks that the text names, such as `[colour]`. */
  private readNamedBlanks(): ReadItem | undefined {
    const { question } = this;
    const places = this.namedPlaces();
    question.type = 7;
    question.stem = replacePlaces(this.stem(), places, () => '____');
    this.setBlanks(
      places.map(({ response }) => {
        if (childNamed(response.element, 'render_fib')) return this.acceptedTexts(response.ident);
        // Canvas lists the accepted answers; New Quizzes lists a menu, and awards points for the right one.
        const right = new Set(
          this.awards.flatMap(({ comparisons }) =>
            comparisons.filter((one) => awardsChoice(one, response.ident)).map(({ value }) => value),
          ),
        );
        const isMenu =
          findAll(response.element, ({ attributes }) => /dropdown|wordbank/.test(attributes.answer_type ?? '')).length >
          0;
        if (isMenu) question.losses.push(qtiMessages.menu);
        const isLoose = ({ attributes }: Element) =>
          /Regex|Contains|CloseEnough/.test(attributes.scoring_algorithm ?? '');
        if (findAll(response.element, isLoose).length > 0) question.doubts.push(qtiMessages.pattern);
        const labels = response.labels.filter(({ ident }) => !isMenu || right.has(ident));
        return {
          texts: labels.map(({ nodes }) => nodes.map((node) => textOf(node as Element)).join('')),
          caseMatters: false,
        };
      }),
    );
    return undefined;
  }

  /** Responses in the order of their places in the text. `name`: as the text writes it. */
  private namedPlaces(): { name: string; response: Response }[] {
    const stem = this.stem();
    return this.responses
      .map((response) => ({ name: response.ident.replace(/^response_/, ''), response }))
      .map((place) => ({ ...place, at: stem.indexOf(`[${escapeText(place.name)}]`) }))
      .sort((one, other) => one.at - other.at);
  }

  /** Texts that a blank accepts. */
  private acceptedTexts(ident: string): { texts: string[]; caseMatters: boolean } {
    const comparisons = this.awards
      .flatMap((award) => award.comparisons)
      .filter((one) => one.respident === ident && !one.isNot);
    const exact = comparisons.filter(({ operator }) => operator === 'varequal');
    const ranges = comparisons.filter(
      ({ operator, value }) => /^var[lg]te?$/.test(operator) && !exact.some((one) => one.value === value),
    );
    if (ranges.length > 0) {
      const bounds = ranges
        .map(({ operator, value }) => `${operator.startsWith('varg') ? '≥' : '≤'}${value}`)
        .join(' ');
      this.question.doubts.push(qtiMessages.range(bounds));
    }
    const parts = comparisons.filter(({ operator }) => /^varsub/.test(operator));
    if (parts.length > 0) this.question.doubts.push(qtiMessages.pattern);
    const isNumber = this.responses.some(
      (one) =>
        one.ident === ident &&
        /^(?:Decimal|Integer|Scientific)$/.test(findNamed(one.element, 'render_fib')?.attributes.fibtype ?? ''),
    );
    const texts = [...exact, ...(exact.length === 0 ? parts : [])].map(({ value }) =>
      isNumber ? plainNumber(value) : value,
    );
    return { texts, caseMatters: exact.some(({ caseMatters }) => caseMatters) };
  }

  private setBlanks(blanks: readonly { texts: string[]; caseMatters: boolean }[]): void {
    this.question.ignoresCase = !blanks.some(({ caseMatters }) => caseMatters);
    setBlanks(
      this.question,
      blanks.map(({ texts }) => texts),
    );
  }

  // ---- the rest --------------------------------------------------------------------------------

  private readShortAnswer(): undefined {
    this.question.type = 5;
    this.question.stem = this.stem();
    // Brightspace
    const key = findNamed(this.item, 'answer_key_material');
    if (key) this.question.answer = this.html(key.children);
    return undefined;
  }

  private readText(): ReadItem {
    this.question.stem = this.stem();
    return { leftOut: qtiMessages.noInteraction, text: this.question };
  }

  /** Text of the item, without its responses. `place`: what stands in place of a response. */
  private stem(place: (element: Element) => string | undefined = () => undefined): string {
    return contentHtml(materialNodes(elementsOf(this.presentation)), {
      ...this.context,
      replace: (element) =>
        element.name.startsWith('response_') ? { html: place(element) ?? '', isBlock: false } : undefined,
    });
  }

  private html(nodes: readonly Node[]): string {
    return contentHtml(materialNodes(nodes), this.context);
  }

  /** Feedback says why an answer is right or wrong, so it belongs to the analysis. */
  private readFeedback(): void {
    const { question } = this;
    const texts: string[] = [];
    for (const feedback of childrenNamed(this.item, 'itemfeedback')) {
      const ident = feedback.attributes.ident ?? '';
      const solution = findAll(feedback, ({ name }) => name === 'solutionmaterial');
      const html = this.html(solution.length > 0 ? solution : feedback.children);
      if (html === '') continue;
      if (question.type === 5 && solution.length > 0) question.answer = joinHtml(question.answer, html);
      else texts.push(this.feedbackLabel(ident), html);
    }
    question.analysis = joinHtml(...texts);
  }

  private feedbackLabel(ident: string): string {
    const name = ident.replace(/_fb$/, '');
    const option = this.responses[0]?.labels.findIndex((label) => label.ident === name) ?? -1;
    if (option >= 0 && this.question.type <= 4) return optionFeedbackTitle(this.question, option);
    if (/incorrect|wrong/i.test(name)) return qtiMessages.wrongFeedback;
    return /correct|right/i.test(name) ? qtiMessages.rightFeedback : '';
  }
}

/** Canvas writes 4 as 4.0. */
const plainNumber = (text: string): string => (/^-?\d+\.0+$/.test(text) ? text.replace(/\.0+$/, '') : text);
