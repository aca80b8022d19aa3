/** Reads the XML of a Word document. */
import type { OpenedZip } from '#server/platform/files/zip.ts';
import { mainPartOf, readRelationships } from '#server/platform/office/relationships.ts';
import { DamagedFile, type ReadAttribute, readXml, type XmlHandler } from '#server/platform/office/xml.ts';
import type { Line, Mark } from './rich-line.ts';
import { lossMessages, previewRefusals } from './rules.ts';
import { isFormulaField, isPageField, readFormulaField } from './word-fields.ts';
import { FormulaReader } from './word-formula.ts';
import { cropOf, lengthIn, pixels, usefulAlt, wholePixels } from './word-graphics.ts';
import { DocumentLines, type Graphic, markRowDeleted, type Paragraph, type Run } from './word-lines.ts';
import { createCounter, readNumberedStyles, readNumbering } from './word-numbering.ts';
import { symbolCharacter, symbolFontOf } from './word-symbols.ts';

/**
 * Reads a .docx file as lines. A line is a paragraph, or a part of one that ends with Shift+Enter; a table counts as
 * one line. The reader fetches nothing external and evaluates no field.
 */
export async function readWordLines(zip: OpenedZip, onProgress: (part: number) => void): Promise<Line[]> {
  const main = await mainPartOf(zip, 'word/document.xml');
  const relationships = await readRelationships(zip, main);
  const related = async (type: string) => {
    const found = [...relationships.values()].find((relationship) => relationship.type === type);
    return found && !found.external ? await zip.stream(found.target) : undefined;
  };
  const count = createCounter(await readNumbering(await related('numbering')));
  const styles = await readNumberedStyles(await related('styles'));
  const part = await zip.stream(main);
  if (!part) return [];
  const reader = new DocumentReader(relationships, count, styles);
  const size = zip.sizes.get(main.toLowerCase()) ?? 1;
  let bytes = 0;
  await readXml(part, reader, (more) => {
    bytes += more;
    onProgress(bytes / size);
  });
  return reader.lines;
}

/** XML elements without text of the document, or with text that tracked changes deleted. */
const skippedElements = new Set([
  'w:del',
  'w:moveFrom',
  'w:rPrChange',
  'w:pPrChange',
  'w:tblPrChange',
  'w:trPrChange',
  'w:tcPrChange',
  'w:sectPr',
  'w:sdtPr',
  'w:rt',
]);

/** Prefixes of extensions that are supported: their content is read instead of the fallback. */
const supportedExtensions = /^(?:wps|wpg|wpc|wp14|w14|w15|a14|v)$/;

/** Tables nested deeper than this are read as text of the surrounding cell. */
const maxTableDepth = 4;

/** Maximum characters of a field's code. */
const maxInstruction = 2_000;

/** Thrown if a document cannot be read. The message says how to save it. */
export class UnreadableWord extends DamagedFile {}

/** True for fields whose result is left out: page numbers, and formulas, which are converted. */
const isUnshown = (instruction: string): boolean => isPageField(instruction) || isFormulaField(instruction);

const markOrder: readonly Mark[] = ['strong', 'em', 'u', 's', 'sub', 'sup', 'dot'];

/** Receives the XML events of the document and adds to its lines. */
class DocumentReader extends DocumentLines implements XmlHandler {
  private readonly alternatives: { taken: boolean }[] = [];
  private skipDepth = 0;
  private capture: 'text' | 'instruction' | undefined;
  private formula: FormulaReader | undefined;
  private isDisplayFormula = false;

  private openInRun(current: Run, name: string, attribute: ReadAttribute) {
    const value = attribute('w:val');
    const isOn = value !== 'false' && value !== '0' && value !== 'off' && value !== 'none';
    const mark = (which: Mark) => {
      if (isOn) current.marks = markOrder.filter((other) => other === which || current.marks.includes(other));
    };
    switch (name) {
      case 'w:b':
        return mark('strong');
      case 'w:i':
        return mark('em');
      case 'w:u':
        return mark('u');
      case 'w:strike':
      case 'w:dstrike':
        return mark('s');
      case 'w:em':
        return mark('dot');
      case 'w:vertAlign':
        if (value === 'subscript') mark('sub');
        else if (value === 'superscript') mark('sup');
        return;
      // Position in half points above or below the baseline.
      case 'w:position': {
        const raised = Number(value);
        if (raised !== 0 && !this.paragraph()?.runsOn) mark(raised < 0 ? 'sub' : 'sup');
        return;
      }
      case 'w:caps':
        current.isCapital = isOn;
        return;
      case 'w:vanish':
        current.hidden = isOn;
        return;
      case 'w:rFonts': {
        const font = attribute('w:ascii') ?? attribute('w:hAnsi') ?? '';
        current.symbolFont = symbolFontOf(font);
        return;
      }
      case 'w:tab':
        return this.addText('\t');
      case 'w:cr':
        return this.breakLine();
      case 'w:br':
        if ((attribute('w:type') ?? 'textWrapping') === 'textWrapping') this.breakLine();
        return;
      case 'w:noBreakHyphen':
        return this.addText('-');
      case 'w:sym': {
        const symbol = symbolCharacter(attribute('w:font') ?? '', Number.parseInt(attribute('w:char') ?? '', 16));
        if (symbol) this.addText(symbol);
        else this.add({ lost: lossMessages.symbol, shown: '□' });
        return;
      }
      case 'w:footnoteReference':
      case 'w:endnoteReference':
        return this.add({ lost: lossMessages.note, shown: '' });
      case 'w:fldChar':
        return this.openFieldCharacter(attribute('w:fldCharType'));
    }
  }

  private openFieldCharacter(type: string | undefined) {
    const field = this.fields.at(-1);
    if (type === 'begin') this.fields.push({ instruction: '', isHidden: true });
    else if (type === 'separate' && field) field.isHidden = isUnshown(field.instruction);
    else if (type === 'end' && field) {
      this.fields.pop();
      const outer = this.fields.at(-1);
      // A field in the code of another one, such as a root in a fraction, belongs to that code.
      if (outer?.isHidden) outer.instruction += field.instruction.replace(/^\s*EQ\b/i, '');
      else this.addFieldFormula(field.instruction);
    }
  }

  /** Old versions of Word store a formula as a field EQ without a result. */
  private addFieldFormula(instruction: string) {
    if (!isFormulaField(instruction)) return;
    const formula = readFormulaField(instruction);
    if (!formula) this.add({ lost: lossMessages.formula, shown: `［公式：${instruction.trim().slice(0, 100)}］` });
    else if ('latex' in formula) this.add({ formula: formula.latex, display: false });
    else {
      this.addText(formula.text);
      if (formula.hasReading) this.add({ lost: lossMessages.reading, shown: '' });
    }
  }

  private openInGraphic(drawn: Graphic, name: string, attribute: ReadAttribute) {
    switch (name) {
      case 'wp:extent':
        drawn.width = pixels(attribute('cx'));
        drawn.height = pixels(attribute('cy'));
        return;
      case 'wp:docPr':
        drawn.alt = usefulAlt(attribute('descr'));
        return;
      case 'a:blip':
        if (attribute('r:embed')) this.addPicture(attribute('r:embed'), false);
        else if (attribute('r:link')) this.addPicture(undefined, true);
        return;
      case 'a:srcRect': {
        const picture = this.drawnPicture();
        const crop = cropOf(attribute);
        if (picture && crop) picture.crop = crop;
        return;
      }
      // The size of a group in its own units comes before its pictures.
      case 'a:chExt':
        drawn.groupScale = (drawn.groupScale ?? 1) * ((drawn.width ?? 0) / (Number(attribute('cx')) || 1));
        return;
      case 'a:ext': {
        const picture = this.drawnPicture();
        if (!picture || picture.width !== undefined || !drawn.groupScale || !attribute('cx')) return;
        picture.width = wholePixels(Number(attribute('cx')) * drawn.groupScale);
        picture.height = wholePixels(Number(attribute('cy')) * drawn.groupScale);
        return;
      }
      case 'v:shape':
      case 'v:rect': {
        const style = attribute('style') ?? '';
        drawn.width = lengthIn(style, 'width');
        drawn.height = lengthIn(style, 'height');
        if (attribute('o:hr')) drawn.isRule = true;
        return;
      }
      case 'v:imagedata':
        if (attribute('r:id')) this.addPicture(attribute('r:id'), false);
        else if (attribute('r:href')) this.addPicture(undefined, true);
        return;
      case 'o:OLEObject':
        drawn.program = attribute('ProgID') || 'unknown';
        return;
    }
  }

  private openInParagraphProperties(target: Paragraph, name: string, attribute: ReadAttribute) {
    if (name === 'w:pStyle') target.style = attribute('w:val');
    else if (name === 'w:numId') target.list.id = attribute('w:val');
    else if (name === 'w:ilvl') target.list.level = Number(attribute('w:val'));
    else if (name === 'w:del' || name === 'w:moveFrom') target.runsOn = true;
    // A large first letter is a paragraph of its own, and the next paragraph continues its word.
    else if (name === 'w:framePr' && /^(?:drop|margin)$/.test(attribute('w:dropCap') ?? '')) target.runsOn = true;
  }

  private openAlternative(name: string, attribute: ReadAttribute): boolean {
    const alternative = this.alternatives.at(-1);
    if (!alternative || alternative.taken) return false;
    const isUnderstood =
      name === 'mc:Fallback' || (attribute('Requires') ?? '').split(/\s+/).every((p) => supportedExtensions.test(p));
    alternative.taken = isUnderstood;
    return isUnderstood;
  }

  private openStructure(name: string, attribute: ReadAttribute): boolean {
    switch (name) {
      case 'w:p':
        this.openParagraph();
        return true;
      case 'w:pPr': {
        const target = this.paragraph();
        if (target) target.inProperties = true;
        return true;
      }
      case 'w:r':
        this.paragraph()?.runs.push({ marks: [], hidden: false, isCapital: false, symbolFont: undefined });
        return true;
      case 'w:tbl':
        this.tableIsRead.push(this.tables.length < maxTableDepth);
        if (this.tableIsRead.at(-1)) this.tables.push({ number: this.nextNumber(), rows: [] });
        return true;
      case 'w:tr':
        if (this.tableIsRead.at(-1)) this.tables.at(-1)?.rows.push({ cells: [], deleted: false });
        return true;
      case 'w:tc':
        if (this.tableIsRead.at(-1)) this.openTableCell();
        return true;
      case 'w:txbxContent': {
        const around = this.graphic();
        if (around) around.found = true;
        this.textBoxes += 1;
        this.containers.push([]);
        return true;
      }
      case 'w:drawing':
      case 'w:pict':
      case 'w:object':
        this.openGraphic();
        return true;
      case 'mc:AlternateContent':
        this.alternatives.push({ taken: false });
        return true;
      case 'm:oMathPara':
        this.isDisplayFormula = true;
        return true;
      case 'm:oMath':
        this.formula = new FormulaReader();
        return true;
      case 'w:gridSpan': {
        const current = this.cell();
        if (current) current.columns = smallCount(attribute('w:val'));
        return true;
      }
      case 'w:gridBefore':
      case 'w:gridAfter':
        this.skipColumns(smallCount(attribute('w:val')));
        return true;
      case 'w:altChunk':
        throw new UnreadableWord(previewRefusals.embeddedPage);
      case 'w:vMerge': {
        const current = this.cell();
        if (current) current.continuesAbove = (attribute('w:val') ?? 'continue') === 'continue';
        return true;
      }
    }
    return false;
  }

  open(name: string, attribute: ReadAttribute) {
    if (this.skipDepth > 0) {
      this.skipDepth += 1;
      return;
    }
    const target = this.paragraph();
    if (target?.inProperties) this.openInParagraphProperties(target, name, attribute);
    if (name === 'mc:Choice' || name === 'mc:Fallback') {
      if (!this.openAlternative(name, attribute)) this.skipDepth = 1;
      return;
    }
    if (skippedElements.has(name)) {
      // If this is a property of a table row, the whole row is deleted.
      if (name === 'w:rt') this.add({ lost: lossMessages.reading, shown: '' });
      else if (name === 'w:del' && !target) markRowDeleted(this.tables);
      this.skipDepth = 1;
      return;
    }
    if (this.formula) return this.formula.open(name, attribute);
    if (name === 'w:fldSimple' && isUnshown(attribute('w:instr') ?? '')) {
      this.addFieldFormula(attribute('w:instr') ?? '');
      this.skipDepth = 1;
      return;
    }
    if (this.openStructure(name, attribute)) return;
    if (name === 'w:t') this.capture = 'text';
    else if (name === 'w:instrText') this.capture = 'instruction';
    const drawn = this.graphic();
    if (drawn) this.openInGraphic(drawn, name, attribute);
    const current = this.run();
    if (current && !target?.inProperties) this.openInRun(current, name, attribute);
  }

  close(name: string) {
    if (this.skipDepth > 0) {
      this.skipDepth -= 1;
      return;
    }
    if (this.formula) {
      if (this.formula.close()) this.closeFormula(this.formula);
      return;
    }
    switch (name) {
      case 'm:oMathPara':
        this.isDisplayFormula = false;
        return;
      case 'w:p':
        return this.closeParagraph();
      case 'w:pPr': {
        const target = this.paragraph();
        if (!target) return;
        target.inProperties = false;
        return this.labelParagraph(target);
      }
      case 'w:r':
        this.paragraph()?.runs.pop();
        return;
      case 'w:t':
      case 'w:instrText':
        this.capture = undefined;
        return;
      case 'w:tbl':
        if (this.tableIsRead.pop()) this.closeTable();
        return;
      case 'w:tc':
        if (this.tableIsRead.at(-1)) this.containers.pop();
        return;
      case 'w:txbxContent': {
        const lines = this.containers.pop() ?? [];
        this.textBoxes -= 1;
        this.paragraph()?.after.push(...lines);
        return;
      }
      case 'w:drawing':
      case 'w:pict':
      case 'w:object':
        return this.closeGraphic();
      case 'mc:AlternateContent':
        this.alternatives.pop();
        return;
    }
  }

  private closeFormula(formula: FormulaReader) {
    this.formula = undefined;
    const segment = formula.segment(this.isDisplayFormula);
    if (segment) this.add(segment);
  }

  text(value: string) {
    if (this.skipDepth > 0) return;
    if (this.formula) return this.formula.text(value);
    if (this.capture === undefined) return;
    if (this.capture === 'instruction') {
      const field = this.fields.at(-1);
      if (field && field.instruction.length < maxInstruction) field.instruction += value;
      return;
    }
    const font = this.run()?.symbolFont;
    this.addText(font ? [...value].map((c) => symbolCharacter(font, c.codePointAt(0) ?? 0) ?? c).join('') : value);
  }
}

const smallCount = (value: string | undefined): number => Math.min(Math.max(Math.trunc(Number(value)) || 1, 1), 100);
