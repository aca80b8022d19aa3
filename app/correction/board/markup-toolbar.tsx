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
import classes from './markup-board.module.css';
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
  /** Letters choose tools. */
  letterKeys: boolean;
  /** There is an image to draw on. */
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
  const { tool, ready, saving } = props;
  return (
    <div className={classes.toolbar} role="toolbar" aria-label="标注工具">
      {tools.map(({ name, label, hint, icon }) => (
        <ToolButton
          key={name}
          label={label}
          title={titleOf(label, props.letterKeys ? toolLetters[name] : undefined, hint)}
          shortcut={props.letterKeys ? toolLetters[name] : undefined}
          icon={icon}
          pressed={tool === name}
          off={!ready}
          act={() => props.onTool(name)}
        />
      ))}
      <span className={classes.divider} />
      <ToolButton
        label="撤销"
        title="撤销（Ctrl+Z）"
        shortcut="Control+Z"
        icon={<IconArrowBackUp />}
        off={!ready || !props.mayUndo}
        act={props.onUndo}
      />
      <ToolButton
        label="重做"
        title="重做（Ctrl+Y）"
        shortcut="Control+Y Control+Shift+Z"
        icon={<IconArrowForwardUp />}
        off={!ready || !props.mayRedo}
        act={props.onRedo}
      />
      <ToolButton
        label="旋转"
        title="顺时针旋转 90 度"
        icon={<IconRotateClockwise />}
        off={!ready}
        act={props.onRotate}
      />
      <ToolButton label="清空" icon={<IconTrash />} off={!ready || !props.mayClear} act={props.onClear} />
      <ToolButton
        label={saving ? '保存中…' : '保存'}
        title="保存"
        icon={<IconDeviceFloppy />}
        off={!ready || saving}
        act={props.onSave}
        main
      />
    </div>
  );
}

/** 画线（L，按住 Shift 画直线） */
function titleOf(label: string, letter: string | undefined, hint: string | undefined): string {
  const words = [letter, hint].filter(Boolean).join('，');
  return words ? `${label}（${words}）` : label;
}

interface ZoomBarProps {
  /** How large the image's pixels are shown. */
  percent: number | null;
  mayZoomIn: boolean;
  isZoomed: boolean;
  onZoom: (closer: boolean) => void;
  onFit: () => void;
}

export function ZoomBar({ percent, mayZoomIn, isZoomed, onZoom, onFit }: ZoomBarProps) {
  return (
    <fieldset className={classes.zoomBar} aria-label="缩放">
      <ZoomButton label="缩小" title="缩小（-，Ctrl+滚轮）" off={!isZoomed} act={() => onZoom(false)}>
        <IconMinus />
      </ZoomButton>
      <span className={classes.percent} role="status" aria-label="缩放比例">
        {percent === null ? '—' : `${percent}%`}
      </span>
      <ZoomButton label="放大" title="放大（+，Ctrl+滚轮）" off={!mayZoomIn} act={() => onZoom(true)}>
        <IconPlus />
      </ZoomButton>
      <ZoomButton label="适应窗口" title="适应窗口（0）" off={!isZoomed} act={onFit}>
        <IconMaximize />
      </ZoomButton>
    </fieldset>
  );
}

interface ZoomButtonProps {
  label: string;
  title: string;
  off: boolean;
  act: () => void;
  children: ReactNode;
}

function ZoomButton({ label, title, off, act, children }: ZoomButtonProps) {
  return (
    <button
      type="button"
      className={classes.zoom}
      aria-label={label}
      title={title}
      aria-disabled={off || undefined}
      onClick={off ? undefined : act}
    >
      {children}
    </button>
  );
}

interface ToolButtonProps {
  label: string;
  title?: string;
  /** As assistive technology names keys. */
  shortcut?: string | undefined;
  icon: ReactNode;
  off: boolean;
  act: () => void;
  /** Only for the tools, which stay chosen. */
  pressed?: boolean;
  main?: boolean;
}

// aria-disabled, not disabled: the focus stays where it is when the last mark has been undone.
function ToolButton({ label, title, shortcut, icon, off, act, pressed, main }: ToolButtonProps) {
  return (
    <button
      type="button"
      className={main ? classes.save : classes.tool}
      title={title ?? label}
      aria-keyshortcuts={shortcut}
      aria-pressed={pressed}
      aria-disabled={off || undefined}
      onClick={off ? undefined : act}
    >
      {icon}
      {label}
    </button>
  );
}

/** The icon set has no half tick: a tick with a stroke through its long arm. */
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
