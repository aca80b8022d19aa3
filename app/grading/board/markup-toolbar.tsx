import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowUpRight,
  IconCheck,
  IconCircle,
  IconDeviceFloppy,
  IconLetterT,
  IconMaximize,
  IconMinus,
  IconPlus,
  IconRotateClockwise,
  IconScribble,
  IconSquare,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './markup-board.work.module.css';
import type { MarkName } from './markup-document.ts';
import { toolLetters } from './use-board-keys.ts';

const tools: { name: MarkName; label: string; hint?: string; icon: ReactNode }[] = [
  { name: 'rect', label: '矩形', icon: <IconSquare /> },
  { name: 'ellipse', label: '椭圆', icon: <IconCircle /> },
  { name: 'arrow', label: '箭头', icon: <IconArrowUpRight /> },
  { name: 'line', label: '画线', hint: '按住 Shift 画直线', icon: <IconScribble /> },
  { name: 'right', label: '对', icon: <IconCheck /> },
  { name: 'wrong', label: '错', icon: <IconX /> },
  { name: 'half', label: '半对', icon: <HalfTick /> },
  { name: 'text', label: '文字', icon: <IconLetterT /> },
];

interface ToolbarProps {
  tool: MarkName | null;
  letterKeys: boolean;
  /** True once the image is loaded and can be drawn on. */
  ready: boolean;
  saving: boolean;
  mayUndo: boolean;
  mayRedo: boolean;
  mayClear: boolean;
  onTool: (tool: MarkName) => void;
  onUndo: () => void;
  onRedo: () => void;
  onRotate: () => void;
  onClear: () => void;
  onSave: () => void;
}

export function MarkupToolbar(props: ToolbarProps) {
  const { tool, ready, saving, letterKeys } = props;
  const actions: (ButtonProps & { title: string })[] = [
    {
      label: '撤销',
      title: '撤销（Ctrl+Z）',
      shortcut: 'Control+Z',
      icon: <IconArrowBackUp />,
      off: !ready || !props.mayUndo,
      act: props.onUndo,
    },
    {
      label: '重做',
      title: '重做（Ctrl+Y）',
      shortcut: 'Control+Y Control+Shift+Z',
      icon: <IconArrowForwardUp />,
      off: !ready || !props.mayRedo,
      act: props.onRedo,
    },
    { label: '旋转', title: '顺时针旋转 90 度', icon: <IconRotateClockwise />, off: !ready, act: props.onRotate },
    { label: '清空', title: '清空', icon: <IconTrash />, off: !ready || !props.mayClear, act: props.onClear },
    {
      label: saving ? '保存中…' : '保存',
      title: '保存（Ctrl+Enter）',
      icon: <IconDeviceFloppy />,
      off: !ready || saving,
      act: props.onSave,
      look: 'save',
    },
  ];
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="标注工具">
      {tools.map(({ name, label, hint, icon }) => (
        <BoardButton
          key={name}
          label={label}
          title={titleOf(label, letterKeys ? toolLetters[name] : undefined, hint)}
          shortcut={letterKeys ? toolLetters[name] : undefined}
          icon={icon}
          pressed={tool === name}
          off={!ready}
          act={() => props.onTool(name)}
        />
      ))}
      <span className={styles.divider} />
      {actions.map((action) => (
        <BoardButton key={action.title} {...action} />
      ))}
    </div>
  );
}

/** Formats a tooltip, such as 画线（L，按住 Shift 画直线）. */
function titleOf(label: string, letter: string | undefined, hint: string | undefined): string {
  const words = [letter, hint].filter(Boolean).join('，');
  return words ? `${label}（${words}）` : label;
}

interface ZoomBarProps {
  /** Zoom in percent of the image's own pixels. Null before the image is ready. */
  percent: number | null;
  mayZoomIn: boolean;
  isZoomed: boolean;
  onZoom: (closer: boolean) => void;
  onFit: () => void;
}

export function ZoomBar({ percent, mayZoomIn, isZoomed, onZoom, onFit }: ZoomBarProps) {
  const zoom = (label: string, title: string, icon: ReactNode, off: boolean, act: () => void) => (
    <BoardButton look="zoom" label={label} title={title} icon={icon} off={off} act={act} />
  );
  return (
    <fieldset className={styles.zoomBar} aria-label="缩放">
      {zoom('缩小', '缩小（-，Ctrl+滚轮）', <IconMinus />, !isZoomed, () => onZoom(false))}
      <span className={styles.percent} role="status" aria-label="缩放比例">
        {percent === null ? '—' : `${percent}%`}
      </span>
      {zoom('放大', '放大（+，Ctrl+滚轮）', <IconPlus />, !mayZoomIn, () => onZoom(true))}
      {zoom('适应窗口', '适应窗口（0）', <IconMaximize />, !isZoomed, onFit)}
    </fieldset>
  );
}

interface ButtonProps {
  label: string;
  title: string;
  /** Value of aria-keyshortcuts. */
  shortcut?: string | undefined;
  icon: ReactNode;
  off: boolean;
  act: () => void;
  /** Only tools can be pressed: the chosen tool stays selected. */
  pressed?: boolean;
  /** Zoom buttons show only their icon. */
  look?: 'tool' | 'save' | 'zoom';
}

// Uses aria-disabled, not disabled, so that the button keeps the focus when undo removes the last mark.
function BoardButton({ label, title, shortcut, icon, off, act, pressed, look = 'tool' }: ButtonProps) {
  return (
    <button
      type="button"
      className={styles[look]}
      title={title}
      aria-label={look === 'zoom' ? label : undefined}
      aria-keyshortcuts={shortcut}
      aria-pressed={pressed}
      aria-disabled={off || undefined}
      onClick={off ? undefined : act}
    >
      {icon}
      {look !== 'zoom' && label}
    </button>
  );
}

/** The icon set has no half tick, so this draws a tick with a stroke through its long arm. */
function HalfTick() {
  return (
    <svg
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M5 12l5 5l10 -10" />
      <path d="M13 9.5l4 4" />
    </svg>
  );
}
