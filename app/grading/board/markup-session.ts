// State of the mark-up board and its transitions, as pure functions.
import {
  addMark,
  clearMarks,
  type Mark,
  type MarkName,
  type Markup,
  parseMarkup,
  removeMark,
  replaceMark,
  rotateMarkup,
  serializeMarkup,
  type TextMark,
  undoMark,
} from './markup-document.ts';

export interface Page {
  url: string;
  markup: Markup;
  /** The mark-up as last saved. */
  saved: Markup;
  /** Marks removed by 清空; undo restores them until the next change. */
  cleared: readonly Mark[] | null;
  /** Redo stack, the latest last; emptied by the next mark. */
  undoneSteps: readonly UndoneStep[];
  /** True if some of the saved mark-up could not be read. */
  broken: boolean;
}

type UndoneStep = Pick<Page, 'cleared'> & { marks: readonly Mark[] };

/** A text being edited; `index` is its index among the marks, null for a new one. */
export interface TextEditing {
  index: number | null;
  mark: TextMark;
}

export interface Session {
  pages: readonly Page[];
  current: number;
  tool: MarkName | null;
  selected: number | null;
  editing: TextEditing | null;
}

export type SessionAction =
  | { type: 'tool'; tool: MarkName }
  | { type: 'escape' }
  | { type: 'select'; index: number | null }
  | { type: 'add'; mark: Mark; unit: number; select?: boolean }
  | { type: 'replace'; index: number; mark: Mark; unit: number }
  | { type: 'delete' }
  | { type: 'edit'; editing: TextEditing }
  | { type: 'write'; text: string }
  | { type: 'close editor' }
  | { type: 'undo' }
  | { type: 'redo' }
  | { type: 'rotate' }
  | { type: 'clear' }
  | { type: 'show'; index: number }
  | { type: 'saved'; index: number; markup: Markup };

/** An image that the board was opened with. `draft` holds unsaved mark-up of an earlier visit. */
export interface OpenedImage {
  url: string;
  draw?: string | null;
  draft?: string | undefined;
}

export function openSession(images: readonly OpenedImage[], current: number): Session {
  const pages = images.map(({ url, draw, draft }): Page => {
    const { markup, broken } = parseMarkup(draw);
    const drawn = draft === undefined ? markup : parseMarkup(draft).markup;
    return { url, markup: drawn, saved: markup, cleared: null, undoneSteps: [], broken };
  });
  return { pages, current, tool: null, selected: null, editing: null };
}

export function nextSession(session: Session, step: SessionAction): Session {
  switch (step.type) {
    case 'tool': {
      const closed = closeEditor(session);
      return { ...closed, tool: session.tool === step.tool ? null : step.tool, selected: null };
    }
    case 'escape':
      return { ...closeEditor(session), tool: null, selected: null };
    case 'select':
      return { ...session, selected: step.index };
    case 'add': {
      const added = change(session, (markup) => addMark(markup, step.mark, step.unit));
      if (!step.select || added === session) return added;
      return { ...added, tool: null, selected: currentPage(added).markup.marks.length - 1 };
    }
    case 'replace':
      return change(session, (markup) => replaceMark(markup, step.index, step.mark, step.unit));
    case 'delete': {
      const { selected, editing } = session;
      if (selected === null || editing) return session;
      return { ...change(session, (markup) => removeMark(markup, selected)), selected: null };
    }
    case 'edit':
      return { ...closeEditor(session), editing: step.editing, selected: null };
    case 'write':
      if (!session.editing) return session;
      return { ...session, editing: { ...session.editing, mark: { ...session.editing.mark, text: step.text } } };
    case 'close editor':
      return closeEditor(session);
    case 'undo':
      return { ...undo(closeEditor(session)), selected: null };
    case 'redo':
      return { ...redoMark(closeEditor(session)), selected: null };
    case 'rotate':
      return change(closeEditor(session), rotateMarkup);
    case 'clear':
      return clear(closeEditor(session));
    case 'show':
      return { ...closeEditor(session), current: step.index, selected: null };
    case 'saved':
      return withPage(session, step.index, (page) => ({ ...page, saved: step.markup, broken: false }));
  }
}

export function currentPage(session: Session): Page {
  const page = session.pages[session.current];
  if (!page) throw new Error(`The board has no image ${session.current}`);
  return page;
}

/** Returns the mark-up including the text that is being edited. It is stored as a draft at every keystroke. */
export function currentMarkup(session: Session): Markup {
  return currentPage(closeEditor(session)).markup;
}

export const hasUnsavedMarks = (session: Session): boolean => unsavedPages(session).length > 0;

export function unsavedPages(session: Session): number[] {
  return closeEditor(session).pages.flatMap((page, at) => (isUnchanged(page, page.markup) ? [] : [at]));
}

export const isUnchanged = (page: Page, markup: Markup): boolean =>
  serializeMarkup(markup) === serializeMarkup(page.saved);

export const canUndo = ({ markup, cleared }: Page): boolean => markup.marks.length > 0 || cleared !== null;

/** Ends the editing of a text: adds the text to the marks, or removes it if it is empty. */
function closeEditor(session: Session): Session {
  const { editing } = session;
  if (!editing) return session;
  const { index, mark } = editing;
  const closed = { ...session, editing: null };
  if (index === null) return change(closed, (markup) => addMark(markup, mark, 1));
  const before = currentPage(session).markup.marks[index];
  if (before?.name === 'text' && before.text === mark.text) return closed;
  if (mark.text.trim() === '') return change(closed, (markup) => removeMark(markup, index));
  return change(closed, (markup) => replaceMark(markup, index, mark, 1));
}

function undo(session: Session): Session {
  const page = currentPage(session);
  if (!canUndo(page)) return session;
  const { cleared, markup, undoneSteps: undone } = page;
  return withPage(session, session.current, () => ({
    ...page,
    markup: cleared ? { ...markup, marks: cleared } : undoMark(markup),
    cleared: null,
    undoneSteps: [...undone, { marks: markup.marks, cleared }],
  }));
}

function redoMark(session: Session): Session {
  const page = currentPage(session);
  const last = page.undoneSteps.at(-1);
  if (!last) return session;
  const { marks, cleared } = last;
  return withPage(session, session.current, () => ({
    ...page,
    markup: { ...page.markup, marks },
    cleared,
    undoneSteps: page.undoneSteps.slice(0, -1),
  }));
}

function clear(session: Session): Session {
  const { markup } = currentPage(session);
  if (markup.marks.length === 0) return session;
  const emptied = withPage(session, session.current, (page) => ({
    ...page,
    markup: clearMarks(markup),
    cleared: markup.marks,
    undoneSteps: [],
  }));
  return { ...emptied, selected: null };
}

function change(session: Session, to: (markup: Markup) => Markup): Session {
  const { markup } = currentPage(session);
  const changed = to(markup);
  if (changed === markup) return session;
  return withPage(session, session.current, (page) => ({ ...page, markup: changed, cleared: null, undoneSteps: [] }));
}

function withPage(session: Session, index: number, to: (page: Page) => Page): Session {
  return { ...session, pages: session.pages.map((page, at) => (at === index ? to(page) : page)) };
}
