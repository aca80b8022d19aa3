/** Writes a question as an item of QTI: responses, content, scoring and feedback. */
import { plainText } from '#server/platform/text/plain-text.ts';
import { optionLetter } from '#server/platform/text/rules.ts';
import { xmlHead, xmlText } from '#server/platform/text/xml.ts';
import { blanksOf, hasOptions } from '../rules.ts';
import { type ExportQuestion, placeOf } from './export-question.ts';
import { exportLosses } from './losses.ts';
import { markBlanks, type XhtmlContext, xhtml, xhtmlOf } from './qti-html.ts';
import {
  elementWriter,
  numberText,
  type QtiElement,
  rootAttributes,
  scoreDeclaration,
  type Version,
  versions,
} from './qti-xml.ts';

/** An item of the package. `pictures`: names of its pictures. */
export interface WrittenItem {
  identifier: string;
  file: string;
  title: string;
  xml: string;
  pictures: string[];
  question: ExportQuestion;
  interactions: readonly string[];
  maxScore: number;
}

const maxTitle = 40;

const titleOf = (question: ExportQuestion): string =>
  [...plainText(question.ques_stem).replace(/\s+/g, ' ').trim()].slice(0, maxTitle).join('') || placeOf(question);

/** Responses, content and scoring of a question or a part. */
interface WrittenPart {
  declarations: string;
  content: string;
  /** Rules that add the points of right responses to the score; empty if people score the answer. */
  rules: string[];
  interaction: string;
}

export function writeItem(
  version: Version,
  question: ExportQuestion,
  number: number,
  pictureNames: ReadonlyMap<string, string>,
): { item: WrittenItem; lost: string[] } {
  const element = elementWriter(version);
  const lost = new Set<string>();
  const context: XhtmlContext = {
    picture: (src) => {
      const name = pictureNames.get(src);
      if (name === undefined) lost.add(exportLosses.picture);
      return name && `../${name}`;
    },
    lose: (message) => lost.add(message),
  };
  const writer = { version, element, context };
  const isMaterial = question.ques_type === 6;
  const parts = isMaterial ? question.ques_item : [question];
  const written = parts.map((part, index) =>
    writePart(writer, part, {
      identifier: isMaterial ? `RESPONSE_${index + 1}` : 'RESPONSE',
      points: isMaterial ? (part.score ?? 1) : blanksOrOne(part),
    }),
  );
  const maxScore = isMaterial ? parts.reduce((sum, part) => sum + (part.score ?? 1), 0) : blanksOrOne(question);
  const body = isMaterial
    ? textBlock(xhtmlOf(question.ques_stem, context)) +
      written
        .map(({ content }, index) => {
          const { facility_value } = parts[index] as ExportQuestion;
          return `<div class="question-part difficulty-${facility_value}">${content}</div>`;
        })
        .join('')
    : written.map(({ content }) => content).join('');
  const feedback = feedbackOf(writer, question, isMaterial ? parts : []);
  const identifier = `item-${number}`;
  const title = titleOf(question);
  const xml = element(
    'assessmentItem',
    { ...rootAttributes(version), identifier, title, adaptive: 'false', timeDependent: 'false', 'xml:lang': 'zh-CN' },
    ...written.map(({ declarations }) => declarations),
    // Programs would read a maximum as the question's points.
    scoreDeclaration(element, 'SCORE', 0, question.score && maxScore),
    question.score !== undefined && scoreDeclaration(element, 'MAXSCORE', maxScore),
    feedback.declaration,
    element('itemBody', {}, body, rubrics(writer, isMaterial ? parts : [question], isMaterial)),
    processing(writer, question, written),
    feedback.content,
  );
  const pictures = [...pictureNames.values()];
  const interactions = [...new Set(written.map(({ interaction }) => interaction))];
  const file = `items/${String(number).padStart(4, '0')}.xml`;
  return {
    item: { identifier, file, title, xml: xmlHead + xml, pictures, question, interactions, maxScore },
    lost: [...lost],
  };
}

/** Points of a question in its item: one for each blank, else one. A test weighs them by the question's score. */
const blanksOrOne = ({ ques_type, right_answer }: ExportQuestion): number =>
  ques_type === 7 ? blanksOf(right_answer).length : 1;

interface ItemWriter {
  version: Version;
  element: QtiElement;
  context: XhtmlContext;
}

/** Text without paragraphs gets a block, which QTI wants; the class tells the import that it had none. */
const textBlock = (content: string): string =>
  `<div class="question-text${/^<(?:p|ul|ol|table|pre|hr)\b/.test(content) ? '' : ' inline-text'}">${content}</div>`;

function writePart(
  writer: ItemWriter,
  question: ExportQuestion,
  { identifier, points }: { identifier: string; points: number },
): WrittenPart {
  if (hasOptions(question.ques_type)) return choicePart(writer, question, identifier, points);
  if (question.ques_type === 7) return blanksPart(writer, question, identifier, points);
  const { element, context } = writer;
  return {
    declarations: element('responseDeclaration', { identifier, cardinality: 'single', baseType: 'string' }),
    content:
      textBlock(xhtmlOf(question.ques_stem, context)) +
      element('extendedTextInteraction', { responseIdentifier: identifier }),
    rules: [],
    interaction: 'extendedTextInteraction',
  };
}

function choicePart(
  { element, context }: ItemWriter,
  question: ExportQuestion,
  identifier: string,
  points: number,
): WrittenPart {
  const { ques_type, ques_option } = question;
  const isMultiple = ques_type === 3 || ques_type === 4;
  const choices = ques_option.map(({ content, is_right }, index) => ({
    identifier: ques_type === 2 ? (index === 0 ? 'true' : 'false') : optionLetter(index),
    content: xhtmlOf(content, context),
    isRight: is_right === 1,
  }));
  const values = choices.filter(({ isRight }) => isRight).map((choice) => element('value', {}, choice.identifier));
  return {
    declarations: element(
      'responseDeclaration',
      { identifier, cardinality: isMultiple ? 'multiple' : 'single', baseType: 'identifier' },
      values.length > 0 && element('correctResponse', {}, ...values),
    ),
    content:
      textBlock(xhtmlOf(question.ques_stem, context)) +
      element(
        'choiceInteraction',
        {
          // Says whether it is 多选 or 不定项, and that a choice of 正确 and 错误 is a choice.
          class: `question-type-${ques_type}`,
          responseIdentifier: identifier,
          shuffle: 'false',
          maxChoices: isMultiple ? 0 : 1,
        },
        ...choices.map((choice) => element('simpleChoice', { identifier: choice.identifier }, choice.content)),
      ),
    rules: [
      element(
        'responseCondition',
        {},
        element(
          'responseIf',
          {},
          element('match', {}, element('variable', { identifier }), element('correct', { identifier })),
          addToScore(element, element('baseValue', { baseType: 'float' }, numberText(points))),
        ),
      ),
    ],
    interaction: 'choiceInteraction',
  };
}

const addToScore = (element: QtiElement, points: string): string =>
  element(
    'setOutcomeValue',
    { identifier: 'SCORE' },
    element('sum', {}, element('variable', { identifier: 'SCORE' }), points),
  );

function blanksPart(
  { element, context }: ItemWriter,
  question: ExportQuestion,
  identifier: string,
  points: number,
): WrittenPart {
  const blanks = blanksOf(question.right_answer);
  const identifiers = blanks.map((_, index) => (blanks.length === 1 ? identifier : `${identifier}_${index + 1}`));
  const mappedValue = numberText(points / Math.max(blanks.length, 1));
  const caseSensitive = question.ignore_case === 1 ? 'false' : 'true';
  let place = 0;
  const stem = xhtml(markBlanks(question.ques_stem, blanks.length), context, (mark) => {
    const responseIdentifier = identifiers[place] ?? identifier;
    place += 1;
    // The import writes this mark again; the usual one needs no note.
    return element('textEntryInteraction', { responseIdentifier, label: mark === '____' ? undefined : mark });
  });
  return {
    declarations: blanks
      .map((blank, index) =>
        element(
          'responseDeclaration',
          { identifier: identifiers[index], cardinality: 'single', baseType: 'string' },
          element('correctResponse', {}, element('value', {}, xmlText(blank))),
          element('mapping', { defaultValue: 0 }, element('mapEntry', { mapKey: blank, mappedValue, caseSensitive })),
        ),
      )
      .join(''),
    content: textBlock(stem),
    rules: identifiers.map((name) => addToScore(element, element('mapResponse', { identifier: name }))),
    interaction: 'textEntryInteraction',
  };
}

/** Scores the responses: by a template of the standard where one fits, because more programs know those. */
function processing({ version, element }: ItemWriter, question: ExportQuestion, parts: readonly WrittenPart[]): string {
  const [only] = parts;
  const template = (name: string) =>
    element('responseProcessing', {
      template: `${versions[version].templates}${name}${version === '3.0' ? '.xml' : ''}`,
    });
  if (hasOptions(question.ques_type)) return template('match_correct');
  if (question.ques_type === 7 && only?.rules.length === 1) return template('map_response');
  const rules = parts.flatMap((part) => part.rules);
  return rules.length === 0 ? '' : element('responseProcessing', {}, ...rules);
}

/** Analysis as feedback that is shown after the answer. */
function feedbackOf(
  { version, element, context }: ItemWriter,
  question: ExportQuestion,
  parts: readonly ExportQuestion[],
): { declaration: string; content: string } {
  const analyses = [
    { identifier: 'ANALYSIS', html: question.ques_analysis },
    ...parts.map((part, index) => ({ identifier: `ANALYSIS_${index + 1}`, html: part.ques_analysis })),
  ].filter(({ html }) => html !== '');
  if (analyses.length === 0) return { declaration: '', content: '' };
  const values = analyses.map(({ identifier }) => element('value', {}, identifier));
  return {
    declaration: element(
      'outcomeDeclaration',
      { identifier: 'FEEDBACK', cardinality: 'multiple', baseType: 'identifier' },
      element('defaultValue', {}, ...values),
    ),
    content: analyses
      .map(({ identifier, html }) => {
        const content = xhtmlOf(html, context);
        return element(
          'modalFeedback',
          { outcomeIdentifier: 'FEEDBACK', identifier, showHide: 'show' },
          version === '3.0' ? element('contentBody', {}, content) : content,
        );
      })
      .join(''),
  };
}

/** Answers of short answer questions for the people who score them, and remarks of parts. */
function rubrics(
  { version, element, context }: ItemWriter,
  parts: readonly ExportQuestion[],
  isMaterial: boolean,
): string {
  const rubric = (view: string, classes: string, content: string) => {
    const block = textBlock(content);
    return element(
      'rubricBlock',
      { view, use: version === '3.0' && (view === 'scorer' ? 'scoring' : 'ext:remark'), class: classes },
      version === '3.0' ? element('contentBody', {}, block) : block,
    );
  };
  return parts
    .map((part, index) => {
      const of = isMaterial ? ` part-${index + 1}` : '';
      const answer =
        part.ques_type === 5 ? rubric('scorer', `right-answer${of}`, xhtmlOf(part.right_answer, context)) : '';
      // The manifest has the remark of a whole question.
      return answer + (isMaterial && part.remark !== '' ? rubric('author', `remark${of}`, xmlText(part.remark)) : '');
    })
    .join('');
}
