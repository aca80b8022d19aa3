/** Elements of QTI 2.1 and 3.0. Both are written by the names of QTI 2. */
import { type XmlAttributes, xmlElement } from '#server/platform/text/xml.ts';

export type Version = '2.1' | '3.0';

interface VersionNames {
  namespace: string;
  schema: string;
  templates: string;
  manifest: string;
  metadata: string;
  package: readonly [schema: string, version: string];
  resource: string;
}

export const versions: Readonly<Record<Version, VersionNames>> = {
  '2.1': {
    namespace: 'http://www.imsglobal.org/xsd/imsqti_v2p1',
    schema: 'http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd',
    templates: 'http://www.imsglobal.org/question/qti_v2p1/rptemplates/',
    manifest: 'http://www.imsglobal.org/xsd/imscp_v1p1',
    metadata: 'http://www.imsglobal.org/xsd/imsqti_metadata_v2p1',
    package: ['QTIv2.1 Package', '1.0.0'],
    resource: 'xmlv2p1',
  },
  '3.0': {
    namespace: 'http://www.imsglobal.org/xsd/imsqtiasi_v3p0',
    schema: 'https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd/imsqti_asiv3p0_v1p0.xsd',
    templates: 'https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/',
    manifest: 'http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1',
    metadata: 'http://www.imsglobal.org/xsd/imsqti_metadata_v3p0',
    package: ['QTI Package', '3.0.0'],
    resource: 'xmlv3p0',
  },
};

/** Writes an element of QTI by its name in QTI 2. `content`: as XML. */
export type QtiElement = (name: string, attributes: XmlAttributes, ...content: (string | false)[]) => string;

const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export function elementWriter(version: Version): QtiElement {
  if (version === '2.1') return xmlElement;
  const renamed = (attributes: XmlAttributes) =>
    Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key.includes(':') ? key : kebabCase(key), value]),
    );
  return (name, attributes, ...content) => xmlElement(`qti-${kebabCase(name)}`, renamed(attributes), ...content);
}

export const rootAttributes = (version: Version): XmlAttributes => ({
  xmlns: versions[version].namespace,
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  'xsi:schemaLocation': `${versions[version].namespace} ${versions[version].schema}`,
});

/** Converts a number to text without rounding errors such as 0.30000000000000004. */
export const numberText = (value: number): string => String(Number(value.toFixed(6)));

export const scoreDeclaration = (element: QtiElement, identifier: string, value: number, maximum?: number): string =>
  element(
    'outcomeDeclaration',
    { identifier, cardinality: 'single', baseType: 'float', normalMaximum: maximum && numberText(maximum) },
    element('defaultValue', {}, element('value', {}, numberText(value))),
  );
