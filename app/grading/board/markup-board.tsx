import { IconChevronLeft, IconChevronRight, IconX } from '@tabler/icons-react';
import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import type { RoughGenerator } from 'roughjs/bin/generator';
import styles from './markup-board.work.module.css';
import { serializeMarkup } from './markup-document.ts';
import { createPainter, flattenToJpeg, type Painter } from './markup-painter.ts';
import {
  canUndo,
  currentMarkup,
  currentPage,
  hasUnsavedMarks,
  isUnchanged,
  nextSession,
  openSession,
  unsavedPages,
} from './markup-session.ts';
import { MarkupSurface } from './markup-surface.tsx';
import { MarkupToolbar, ZoomBar } from './markup-toolbar.tsx';
import type { Size } from './markup-view.ts';
import { useBoardImage } from './use-board-image.ts';
import { boardKeyOf, useBoardKeys } from './use-board-keys.ts';
import { useViewport } from './use-viewport.ts';

const turnInterval = 800;
const measureDelay = 400;

export interface BoardImageItem {
  /**
   * The original image, never the one with drawn-in mark-up. It is on this site or its CORS headers allow reading it.
   */
  url: string;
  /** Saved mark-up as JSON; empty when there is none. */
  draw?: string | null;
  /** Unsaved mark-up of an earlier visit, as `onChange` passed it. */
  draft?: string | undefined;
}

export interface MarkupBoardProps {
  /** Read once, when the board opens. Later changes have no effect. */
  images: readonly BoardImageItem[];
  index: number;
  /**
   * Called by 保存 and when the grader turns to another image, but only after a change. `flattened` is a JPEG of at most
   * 5 MB: the rotated image with the drawn marks. The board waits for a returned promise. If the promise rejects, the
   * board shows an error, stays on the image and keeps the marks.
   */
  onSave: (imageIndex: number, draw: string, flattened: Blob) => void | Promise<void>;
  /**
   * Called for every change, also for each keystroke in a text, so that the parent can keep a draft. `draw` is null
   * once the mark-up equals the saved one again.
   */
  onChange?: (imageIndex: number, draw: string | null) => void;
  /** `saved` is true if 保存 closed the board, so nothing is unsaved. */
  onClose: (saved: boolean) => void;
  /** True if letter keys choose tools; false when the grader has switched shortcuts off. */
  letterKeys?: boolean;
  /** The server's message if it refused the last save. */
  refused?: string | undefined;
}

/** Zoom factor of one press of a zoom button or key. */
const zoomStep = 1.5;

/** The mark-up board. It opens when mounted. The parent unmounts it in `onClose`. */
export function MarkupBoard(props: MarkupBoardProps) {
  const problem = problemWith(props.images, props.index);
  useEffect(() => {
    if (problem) console.error(problem);
  }, [problem]);
  return problem ? null : <Board {...props} />;
}

function problemWith(images: readonly BoardImageItem[], index: number): string | null {
  if (images.length === 0) return 'Paint-board imgDatas Can Not be Empty!';
  return images[index] ? null : 'Paint-board Img-Index Out Of Range!';
}

function Board({ images, index, onSave, onChange, onClose, letterKeys = true, refused }: MarkupBoardProps) {
  const [session, dispatch] = useReducer(nextSession, undefined, () => openSession(images, index));
  const [notice, setNotice] = useState<{ text: string; failed: boolean } | null>(null);
  /**
   * True during a save. The board accepts no drawing then, because it may turn to another image right after the save.
   */
  const [saving, setSaving] = useState(false);
  const [asking, setAsking] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const question = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const turnedAt = useRef(Number.NEGATIVE_INFINITY);
  const titleId = useId();

  // Opens the dialog before the stage is measured: a closed dialog has no size.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closing returns the focus to the element that opened the board; unmounting alone would lose it.
    return () => element?.close();
  }, []);

  const { current, pages, editing } = session;
  const page = currentPage(session);
  const { shown, retry } = useBoardImage(page.url, pages[current + 1]?.url);
  const stageSize = useStageSize(stage);
  const painter = usePainter(shown.status === 'ready' ? shown.generator : null);
  const markup = currentMarkup(session);
  const imageSize = shown.status === 'ready' ? shown.image.size : null;
  const viewport = useViewport(imageSize, markup.rotation, stageSize, current);
  const ready = shown.status === 'ready' && painter !== null && viewport !== null;

  const tellOwner = useEffectEvent((imageIndex: number, draw: string) => {
    const draft = isUnchanged(currentPage(session), markup) ? null : draw;
    onChange?.(imageIndex, draft);
  });
  const lastSaved = useRef(new Map(pages.map((each, at) => [at, serializeMarkup(each.markup)])));
  useEffect(() => {
    const draw = serializeMarkup(markup);
    if (lastSaved.current.get(current) === draw) return;
    lastSaved.current.set(current, draw);
    tellOwner(current, draw);
    setNotice((shownNotice) => (shownNotice?.failed ? shownNotice : null));
  }, [current, markup]);

  /** Saves the shown image. Returns true if it is saved now; an unchanged image is not sent. */
  const save = async (): Promise<boolean> => {
    if (saving) return false;
    dispatch({ type: 'close editor' });
    if (isUnchanged(page, markup)) return true;
    if (shown.status !== 'ready' || !painter) return false;
    setSaving(true);
    setNotice(null);
    const saved = await trySave(async () => {
      const flattened = await flattenToJpeg(painter, shown.image.element, shown.image.size, markup);
      if (!flattened) return false;
      await onSave(current, serializeMarkup(markup), flattened);
      return true;
    });
    setSaving(false);
    if (saved) dispatch({ type: 'saved', index: current, markup });
    else setNotice({ text: '保存失败，请重试', failed: true });
    return saved;
  };

  const saveAndClose = async () => {
    setAsking(false);
    if (!(await save())) return;
    const left = unsavedPages(session).find((at) => at !== current);
    if (left === undefined) {
      onClose(true);
      return;
    }
    dispatch({ type: 'show', index: left });
    setNotice({ text: `第 ${left + 1} 张有上次未保存的标注`, failed: false });
  };

  const turn = async (by: -1 | 1) => {
    const now = performance.now();
    if (now - turnedAt.current < turnInterval || saving) return;
    turnedAt.current = now;
    if (await save()) {
      setNotice(null);
      dispatch({ type: 'show', index: current + by });
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the arrow that was pressed may be gone on the new image
  useEffect(() => {
    if (!dialog.current?.contains(document.activeElement)) dialog.current?.focus();
  }, [current, asking]);

  const close = () => {
    if (saving) return;
    if (hasUnsavedMarks(session)) setAsking(true);
    else onClose(false);
  };

  const closeUnsaved = () => {
    for (const at of unsavedPages(session)) onChange?.(at, null);
    onClose(false);
  };

  useEffect(() => {
    if (refused) setNotice({ text: refused, failed: true });
  }, [refused]);

  useBoardKeys((event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      if (event.repeat) return;
      if (asking) setAsking(false);
      else if (editing || session.tool || session.selected !== null) dispatch({ type: 'escape' });
      else close();
    } else if (event.key === 'Tab') {
      keepFocusWithin(asking ? question.current : dialog.current, event);
    } else if (!editing && !asking && !saving) {
      const wanted = boardKeyOf(event, letterKeys);
      if (!wanted) return;
      event.preventDefault();
      if (wanted.do === 'save') {
        if (ready && !event.repeat) void saveAndClose();
      } else if (wanted.do === 'zoom in') viewport?.zoomBy(zoomStep);
      else if (wanted.do === 'zoom out') viewport?.zoomBy(1 / zoomStep);
      else if (wanted.do === 'fit') viewport?.fit();
      else if (wanted.do !== 'tool') dispatch({ type: wanted.do });
      else if (ready && !event.repeat) dispatch({ type: 'tool', tool: wanted.tool });
    }
  });

  return (
    <dialog
      ref={dialog}
      className={styles.board}
      aria-labelledby={titleId}
      tabIndex={-1}
      // Fired by the back gesture of a phone or tablet; Escape is handled before it gets here.
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      // A browser may close a dialog by itself. Only the parent may close the board, so the board opens its dialog
      // again.
      onClose={(event) => {
        if (event.currentTarget.isConnected && !event.currentTarget.open) event.currentTarget.showModal();
      }}
    >
      <header className={styles.header} inert={asking}>
        <h2 id={titleId} className={styles.title}>
          图片标注
          <small>
            第 {current + 1} / {pages.length} 张
          </small>
        </h2>
        <MarkupToolbar
          tool={session.tool}
          letterKeys={letterKeys}
          ready={ready && !saving}
          saving={saving}
          mayUndo={canUndo({ ...page, markup })}
          mayRedo={page.undoneSteps.length > 0}
          mayClear={markup.marks.length > 0}
          onTool={(tool) => dispatch({ type: 'tool', tool })}
          onUndo={() => dispatch({ type: 'undo' })}
          onRedo={() => dispatch({ type: 'redo' })}
          onRotate={() => dispatch({ type: 'rotate' })}
          onClear={() => dispatch({ type: 'clear' })}
          onSave={saveAndClose}
        />
        <button type="button" className={styles.tool} title="关闭（Esc）" onClick={close}>
          <IconX />
          关闭
        </button>
      </header>
      <div className={styles.desk} inert={asking}>
        {current > 0 && (
          <button type="button" className={styles.previous} title="上一张" aria-label="上一张" onClick={() => turn(-1)}>
            <IconChevronLeft />
          </button>
        )}
        <div ref={stage} className={styles.stage}>
          {shown.status === 'loading' && <p role="status">图片加载中…</p>}
          {shown.status === 'failed' && (
            <div role="alert">
              <p>图片加载失败</p>
              <button type="button" className={styles.tool} onClick={retry}>
                重试
              </button>
            </div>
          )}
          {shown.status === 'ready' && painter && viewport && (
            <MarkupSurface
              key={current}
              image={shown.image}
              painter={painter}
              stage={stage}
              viewport={viewport}
              session={session}
              frozen={saving}
              dispatch={dispatch}
            />
          )}
        </div>
        {current < pages.length - 1 && (
          <button type="button" className={styles.next} title="下一张" aria-label="下一张" onClick={() => turn(1)}>
            <IconChevronRight />
          </button>
        )}
        {/* The zoom bar is rendered even before the image is ready, because the stage is measured with the bar in place. */}
        <ZoomBar
          percent={viewport && Math.round(viewport.shown.view.zoom * 100)}
          mayZoomIn={viewport?.mayZoomIn ?? false}
          isZoomed={viewport?.isZoomed ?? false}
          onZoom={(closer) => viewport?.zoomBy(closer ? zoomStep : 1 / zoomStep)}
          onFit={() => viewport?.fit()}
        />
        {page.broken && <p className={styles.warning}>原有标注无法完整读取，保存后以当前标注为准</p>}
        <p className={styles.notice} role="status" data-failed={notice?.failed || undefined}>
          {notice?.text}
        </p>
      </div>
      {asking && (
        <div ref={question} role="alertdialog" aria-modal="true" aria-label="标注尚未保存" className={styles.question}>
          <p>标注尚未保存，确定关闭吗？</p>
          {/* biome-ignore lint/a11y/noAutofocus: the question has just been asked, its answer is what comes next */}
          <button type="button" className={styles.save} autoFocus onClick={saveAndClose}>
            保存并关闭
          </button>
          <button type="button" className={styles.tool} onClick={closeUnsaved}>
            不保存
          </button>
          <button type="button" className={styles.tool} onClick={() => setAsking(false)}>
            继续标注
          </button>
        </div>
      )}
    </dialog>
  );
}

/**
 * Returns false if the save failed: the board's `save` returned false, or the parent's promise rejected. The marks stay
 * unsaved.
 */
async function trySave(save: () => Promise<boolean>): Promise<boolean> {
  try {
    return await save();
  } catch {
    return false;
  }
}

function usePainter(generator: RoughGenerator | null): Painter | null {
  return useMemo(() => {
    const measuring = document.createElement('canvas').getContext('2d');
    return generator && measuring ? createPainter(generator, measuring) : null;
  }, [generator]);
}

/** Size of the stage in CSS pixels. It is measured again 400 ms after the window was last resized. */
function useStageSize(stage: RefObject<HTMLDivElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const element = stage.current;
    if (!element || !document.createElement('canvas').getContext('2d')) {
      console.error('Paint-board Stage Can Not be Empty!');
      return;
    }
    const measure = () => {
      setSize({ width: Math.max(1, element.clientWidth), height: Math.max(1, element.clientHeight) });
    };
    let timer: ReturnType<typeof setTimeout>;
    const measureLater = () => {
      clearTimeout(timer);
      timer = setTimeout(measure, measureDelay);
    };
    measure();
    window.addEventListener('resize', measureLater);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('resize', measureLater);
    };
  }, [stage]);
  return size;
}

/** Focus trap: Tab cycles within the board. */
function keepFocusWithin(root: HTMLElement | null, event: KeyboardEvent): void {
  const reachable = [...(root?.querySelectorAll<HTMLElement>('button, textarea, [tabindex="0"]') ?? [])];
  const at = reachable.indexOf(document.activeElement as HTMLElement);
  const leaves = event.shiftKey ? at <= 0 : at === -1 || at === reachable.length - 1;
  if (!leaves) return;
  event.preventDefault();
  reachable.at(event.shiftKey ? -1 : 0)?.focus();
}
