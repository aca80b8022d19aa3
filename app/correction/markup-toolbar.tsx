import {
  IconArrowBackUp,
  IconArrowUpRight,
  IconCheck,
  IconCircle,
  IconDeviceFloppy,
  IconLetterT,
  IconRotateClockwise,
  IconScribble,
  IconSquare,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './markup-board.module.css';
import type { MarkName } from './markup-document.ts';

const tools: { name: MarkName; label: string; title?: string; icon: ReactNode }[] = [
  { name: 'rect', label: '矩形', icon: <IconSquare /> },
  { name: 'ellipse', label: '椭圆', icon: <IconCircle /> },
  { name: 'arrow', label: '箭头', icon: <IconArrowUpRight /> },
  { name: 'line', label: '画线', title: '画线（按住 Shift 画直线）', icon: <IconScribble /> },
  { name: 'right', label: '对', icon: <IconCheck /> },
  { name: 'wrong', label: '错', icon: <IconX /> },
  { name: 'half', label: '半对', icon: <HalfTick /> },
  { name: 'text', label: '文字', icon: <IconLetterT /> },
];

interface ToolbarProps {
  tool: MarkName | null;
  /** There is an image to draw on. */
  ready: boolean;
  saving: boolean;
  mayUndo: boolean;
  mayClear: boolean;
  onTool: (tool: MarkName) => void;
  onUndo: () => void;
  onRotate: () => void;
  onClear: () => void;
  onSave: () => void;
}

export function MarkupToolbar(props: ToolbarProps) {
  const { tool, ready, saving } = props;
  return (
    <div className={classes.toolbar} role="toolbar" aria-label="标注工具">
      {tools.map(({ name, label, title, icon }) => (
        <ToolButton
          key={name}
          label={label}
          title={title}
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
        icon={<IconArrowBackUp />}
        off={!ready || !props.mayUndo}
        act={props.onUndo}
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

interface ToolButtonProps {
  label: string;
  title?: string;
  icon: ReactNode;
  off: boolean;
  act: () => void;
  /** Only for the tools, which stay chosen. */
  pressed?: boolean;
  main?: boolean;
}

// aria-disabled, not disabled: the focus stays where it is when the last mark has been undone.
function ToolButton({ label, title, icon, off, act, pressed, main }: ToolButtonProps) {
  return (
    <button
      type="button"
      className={main ? classes.save : classes.tool}
      title={title ?? label}
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
