import { strToU8, type Zippable, zipSync } from 'fflate';

/** Builds QTI files as Canvas and other programs write them. */

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** A text as HTML inside QTI 1.2, where it is escaped. */
export const material = (html: string): string =>
  `<material><mattext texttype="text/html">${escaped(html)}</mattext></material>`;

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

interface CanvasItem {
  ident?: string;
  title?: string;
  points?: number;
  /** Further metadata, by label. */
  metadata?: Record<string, string>;
  text: string;
  responses?: string;
  processing?: string;
  feedback?: string;
}

/** An item of Canvas. `type`: without `_question`. */
export function canvasItem(type: string, item: CanvasItem): string {
  const { ident = 'i1', title = 'Question', points = 1, text, responses = '', processing = '', feedback = '' } = item;
  const fields = { question_type: `${type}_question`, points_possible: points.toFixed(1), ...item.metadata };
  const metadata = Object.entries(fields).map(
    ([label, entry]) =>
      `<qtimetadatafield><fieldlabel>${label}</fieldlabel><fieldentry>${entry}</fieldentry></qtimetadatafield>`,
  );
  return `<item ident="${ident}" title="${title}">
  <itemmetadata><qtimetadata>${metadata.join('')}</qtimetadata></itemmetadata>
  <presentation>${material(text)}${responses}</presentation>
  <resprocessing><outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>${processing}</resprocessing>
  ${feedback}
</item>`;
}

/** A choice of Canvas, with idents 1, 2 and so on. */
export const canvasChoice = (options: readonly string[], { multiple = false, ident = 'response1' } = {}): string =>
  `<response_lid ident="${ident}" rcardinality="${multiple ? 'Multiple' : 'Single'}"><render_choice>${options
    .map((option, index) => `<response_label ident="${index + 1}">${material(option)}</response_label>`)
    .join('')}</render_choice></response_lid>`;

/** A condition that gives points. `condition`: as XML. */
export const award = (condition: string, points = 100, action = 'Set'): string =>
  `<respcondition continue="No"><conditionvar>${condition}</conditionvar><setvar action="${action}" varname="SCORE">${points}</setvar></respcondition>`;

export const equals = (value: string, ident = 'response1'): string =>
  `<varequal respident="${ident}">${escaped(value)}</varequal>`;

export const canvasQuiz = (items: string, title = 'Quiz'): string =>
  `${head}<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"><assessment ident="quiz1" title="${title}"><section ident="root_section">${items}</section></assessment></questestinterop>`;

export const canvasBank = (items: string, ident = 'bank1'): string =>
  `${head}<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"><objectbank ident="${ident}">${items}</objectbank></questestinterop>`;

const declarations: Readonly<Record<string, string>> = {
  '2.1': 'xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1"',
  '3.0': 'xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0"',
};

interface Qti2Item {
  title?: string;
  /** Response declarations, outcome declarations and the like. */
  declarations?: string;
  body: string;
  /** Markup after the body. */
  after?: string;
  attributes?: string;
}

export const qti2Item = ({
  title = 'Item',
  declarations: own = '',
  body,
  after = '',
  attributes = '',
}: Qti2Item): string =>
  `${head}<assessmentItem ${declarations['2.1']} identifier="item" title="${title}" adaptive="false" timeDependent="false" ${attributes}>${own}<itemBody>${body}</itemBody>${after}</assessmentItem>`;

export const response = (
  values: readonly string[],
  { identifier = 'RESPONSE', type = 'identifier', mapping = '' } = {},
): string =>
  `<responseDeclaration identifier="${identifier}" cardinality="${values.length > 1 ? 'multiple' : 'single'}" baseType="${type}"><correctResponse>${values
    .map((value) => `<value>${value}</value>`)
    .join('')}</correctResponse>${mapping}</responseDeclaration>`;

/** A choice with identifiers A, B and so on. */
export const qti2Choice = (
  prompt: string,
  options: readonly string[],
  { identifier = 'RESPONSE', maxChoices = 1 } = {},
): string =>
  `<choiceInteraction responseIdentifier="${identifier}" shuffle="false" maxChoices="${maxChoices}">${prompt && `<prompt>${prompt}</prompt>`}${options
    .map((option, index) => `<simpleChoice identifier="${String.fromCharCode(65 + index)}">${option}</simpleChoice>`)
    .join('')}</choiceInteraction>`;

interface Resource {
  href: string;
  type?: string;
  metadata?: string;
}

export const manifest = (resources: readonly Resource[], schema = 'QTIv2.1 Package'): string =>
  `${head}<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" xmlns:imsmd="http://ltsc.ieee.org/xsd/LOM" identifier="m"><metadata><schema>${schema}</schema></metadata><organizations/><resources>${resources
    .map(
      ({ href, type = 'imsqti_item_xmlv2p1', metadata = '' }, index) =>
        `<resource identifier="r${index}" type="${type}" href="${href}">${metadata && `<metadata>${metadata}</metadata>`}<file href="${href}"/></resource>`,
    )
    .join('')}</resources></manifest>`;

/** A zip of these files. */
export const packageOf = (files: Readonly<Record<string, string | Uint8Array>>): Uint8Array => {
  const parts: Zippable = {};
  for (const [name, content] of Object.entries(files)) {
    parts[name] = typeof content === 'string' ? strToU8(content) : content;
  }
  return zipSync(parts);
};
