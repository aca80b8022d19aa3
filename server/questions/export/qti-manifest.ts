/** Writes the test of a QTI package and its manifest. */
import { xmlElement, xmlHead, xmlText } from '#server/platform/text/xml.ts';
import { pointSeparator } from '../points.rules.ts';
import { pointSource } from '../portable-tags.ts';
import type { WrittenItem } from './qti-item.ts';
import { elementWriter, numberText, rootAttributes, scoreDeclaration, type Version, versions } from './qti-xml.ts';

export const testFile = 'test.xml';

export function testXml(version: Version, items: readonly WrittenItem[], title: string): string {
  const element = elementWriter(version);
  const references = items.map(({ identifier, file, question: { score }, maxScore }) =>
    element(
      'assessmentItemRef',
      { identifier, href: file },
      score !== undefined && element('weight', { identifier: 'WEIGHT', value: numberText(score / maxScore) }),
    ),
  );
  return (
    xmlHead +
    element(
      'assessmentTest',
      { ...rootAttributes(version), identifier: 'test', title },
      scoreDeclaration(element, 'SCORE', 0),
      element(
        'testPart',
        { identifier: 'part-1', navigationMode: 'nonlinear', submissionMode: 'simultaneous' },
        element('assessmentSection', { identifier: 'section-1', title, visible: 'true' }, ...references),
      ),
      element(
        'outcomeProcessing',
        {},
        element(
          'setOutcomeValue',
          { identifier: 'SCORE' },
          element('sum', {}, element('testVariables', { variableIdentifier: 'SCORE', weightIdentifier: 'WEIGHT' })),
        ),
      ),
    )
  );
}

/** Levels of difficulty of LOM, the standard of the metadata. */
const difficulties = ['very easy', 'easy', 'medium', 'difficult', 'very difficult'];

export function manifestXml(version: Version, items: readonly WrittenItem[], title: string): string {
  const names = versions[version];
  const [schema, schemaVersion] = names.package;
  const test = xmlElement(
    'resource',
    { identifier: 'test', type: `imsqti_test_${names.resource}`, href: testFile },
    fileElement(testFile),
    ...items.map(({ identifier }) => xmlElement('dependency', { identifierref: identifier })),
  );
  return (
    xmlHead +
    xmlElement(
      'manifest',
      {
        xmlns: names.manifest,
        'xmlns:imsmd': 'http://ltsc.ieee.org/xsd/LOM',
        'xmlns:imsqti': names.metadata,
        identifier: 'manifest',
      },
      xmlElement(
        'metadata',
        {},
        xmlElement('schema', {}, schema),
        xmlElement('schemaversion', {}, schemaVersion),
        lom(lomText('title', title)),
      ),
      xmlElement('organizations', {}),
      xmlElement('resources', {}, test, ...items.map((item) => itemResource(item, names.resource))),
    )
  );
}

const fileElement = (href: string): string => xmlElement('file', { href });

function itemResource(
  { identifier, file, title, pictures, question, interactions }: WrittenItem,
  type: string,
): string {
  const { remark, facility_value, ques_type, point = '' } = question;
  const difficulty = difficulties[facility_value - 1];
  const qti = xmlElement(
    'imsqti:qtiMetadata',
    {},
    xmlElement('imsqti:composite', {}, String(ques_type === 6)),
    ...interactions.map((name) => xmlElement('imsqti:interactionType', {}, name)),
  );
  const educational =
    difficulty !== undefined &&
    xmlElement(
      'imsmd:educational',
      {},
      xmlElement(
        'imsmd:difficulty',
        {},
        xmlElement('imsmd:source', {}, 'LOMv1.0'),
        xmlElement('imsmd:value', {}, difficulty),
      ),
    );
  const general = lomText('title', title) + (remark === '' ? '' : lomText('keyword', remark));
  return xmlElement(
    'resource',
    { identifier, type: `imsqti_item_${type}`, href: file },
    xmlElement('metadata', {}, qti, lom(general, educational, point !== '' && classification(point))),
    ...[file, ...pictures].map(fileElement),
  );
}

/** Metadata by the standard LOM. */
const lom = (general: string, ...others: (string | false)[]): string =>
  xmlElement('imsmd:lom', {}, xmlElement('imsmd:general', {}, general), ...others);

/** Writes the knowledge point as a path of taxons. */
const classification = (point: string): string =>
  xmlElement(
    'imsmd:classification',
    {},
    xmlElement(
      'imsmd:taxonPath',
      {},
      lomText('source', pointSource),
      ...point.split(pointSeparator).map((name) => xmlElement('imsmd:taxon', {}, lomText('entry', name))),
    ),
  );

const lomText = (name: string, text: string): string =>
  xmlElement(`imsmd:${name}`, {}, xmlElement('imsmd:string', {}, xmlText(text)));
