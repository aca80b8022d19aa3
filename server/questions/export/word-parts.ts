/** The parts of a Word document around its body. */

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006';
const drawings = 'http://schemas.openxmlformats.org/drawingml/2006';
const documents = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const namespaces =
  `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${office}/relationships" ` +
  `xmlns:m="${office}/math" xmlns:wp="${drawings}/wordprocessingDrawing" xmlns:a="${drawings}/main" xmlns:pic="${drawings}/picture"`;

export interface Relationship {
  id: string;
  type: string;
  target: string;
}

export const contentTypesXml =
  `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
  '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>' +
  '<Default Extension="jpeg" ContentType="image/jpeg"/><Default Extension="gif" ContentType="image/gif"/>' +
  ['document.main', 'styles', 'footer']
    .map((type) => {
      const name = type === 'document.main' ? 'document' : type;
      return `<Override PartName="/word/${name}.xml" ContentType="${documents}.${type}+xml"/>`;
    })
    .join('') +
  '</Types>';

export const relationshipsXml = (relationships: readonly Relationship[]): string =>
  `${head}<Relationships xmlns="${packages}/relationships">${relationships
    .map(
      ({ id, type, target }) => `<Relationship Id="${id}" Type="${office}/relationships/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

/** A4 with margins of 2 cm, and page numbers in the footer. Lengths are in twentieths of a point. */
export const documentXml = (body: string): string =>
  `${head}<w:document ${namespaces}><w:body>${body}<w:sectPr><w:footerReference w:type="default" r:id="footer"/>` +
  '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="567" w:footer="567" w:gutter="0"/>' +
  '</w:sectPr></w:body></w:document>';

/** Width of the text in CSS pixels. */
export const textWidth = 642;

const field = (code: string): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${code} </w:instrText></w:r>` +
  '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>';
const footerText = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

export const footerXml = `${head}<w:ftr ${namespaces}><w:p><w:pPr><w:jc w:val="center"/></w:pPr>${footerText('第 ')}${field('PAGE')}${footerText(' 页，共 ')}${field('NUMPAGES')}${footerText(' 页')}</w:p></w:ftr>`;

const style = (id: string, name: string, properties: string): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/>${properties}</w:style>`;

/** Sizes are in half points. */
export const stylesXml =
  `${head}<w:styles ${namespaces}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman" w:eastAsia="宋体"/>` +
  '<w:sz w:val="21"/><w:lang w:val="en-US" w:eastAsia="zh-CN"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:line="312" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>' +
  '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>' +
  style(
    'Title',
    'Title',
    '<w:pPr><w:jc w:val="center"/></w:pPr><w:rPr><w:rFonts w:eastAsia="黑体"/><w:b/><w:sz w:val="32"/></w:rPr>',
  ) +
  style(
    'Heading1',
    'heading 1',
    '<w:pPr><w:keepNext/><w:spacing w:before="240" w:after="60"/><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:rFonts w:eastAsia="黑体"/><w:b/><w:sz w:val="24"/></w:rPr>',
  ) +
  style(
    'AnswerLine',
    'Answer line',
    '<w:pPr><w:pBdr><w:bottom w:val="single" w:sz="4" w:space="1" w:color="auto"/><w:between w:val="single" w:sz="4" w:space="1" w:color="auto"/></w:pBdr></w:pPr>',
  ) +
  '</w:styles>';
