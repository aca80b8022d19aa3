/** The Word document around a paper: page, styles and footer. */
import {
  AlignmentType,
  BorderStyle,
  Document,
  type FileChild,
  Footer,
  HeadingLevel,
  LineRuleType,
  Packer,
  PageNumber,
  Paragraph,
  TextRun,
} from 'docx';

/** A4 with margins of 2 cm. Lengths in twentieths of a point. */
const page = {
  size: { width: 11_906, height: 16_838 },
  margin: { top: 1134, right: 1134, bottom: 1134, left: 1134, header: 567, footer: 567 },
};

/** Width of the text in twentieths of a point. */
export const textWidth = page.size.width - page.margin.left - page.margin.right;

export const thinLine = { style: BorderStyle.SINGLE, size: 4, space: 1, color: 'auto' };

/** Style of an empty paragraph that is a line to write on. */
export const answerLine = 'AnswerLine';

const headingFont = { ascii: 'Times New Roman', hAnsi: 'Times New Roman', eastAsia: '黑体' };

/** Sizes in half points. */
const styles = {
  default: {
    document: {
      run: {
        size: 21,
        font: { ascii: 'Times New Roman', hAnsi: 'Times New Roman', eastAsia: '宋体' },
        language: { value: 'en-US', eastAsia: 'zh-CN' },
      },
      paragraph: { spacing: { line: 312, lineRule: LineRuleType.AUTO } },
    },
    title: {
      run: { size: 32, bold: true, font: headingFont },
      paragraph: { alignment: AlignmentType.CENTER },
    },
    heading1: {
      run: { size: 24, bold: true, font: headingFont, color: 'auto' },
      paragraph: { keepNext: true, spacing: { before: 240, after: 60 }, outlineLevel: 0 },
    },
  },
  paragraphStyles: [
    {
      id: answerLine,
      name: 'Answer line',
      basedOn: 'Normal',
      paragraph: { border: { bottom: thinLine, between: thinLine } },
    },
  ],
};

const pageNumber = ['第 ', PageNumber.CURRENT, ' 页，共 ', PageNumber.TOTAL_PAGES, ' 页'];

export const packDocument = (title: string, children: FileChild[]): Promise<Uint8Array> =>
  Packer.toBuffer(
    new Document({
      title,
      creator: '',
      lastModifiedBy: '',
      styles,
      sections: [
        {
          properties: { page },
          footers: {
            default: new Footer({
              children: [
                new Paragraph({ alignment: AlignmentType.CENTER, children: [new TextRun({ children: pageNumber })] }),
              ],
            }),
          },
          children,
        },
      ],
    }),
  );

export const titleLine = (text: string): Paragraph => new Paragraph({ heading: HeadingLevel.TITLE, text });

export const headingLine = (text: string, pageBreakBefore = false): Paragraph =>
  new Paragraph({ heading: HeadingLevel.HEADING_1, text, pageBreakBefore });

/** Lines to fill in, such as 姓名：____. */
export const fieldsLine = (names: readonly string[]): Paragraph =>
  new Paragraph({
    alignment: AlignmentType.CENTER,
    text: names.map((name) => `${name}：____________`).join('\u3000\u3000'),
  });
