import { IconBackspace, IconNumbers } from '@tabler/icons-react';
import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useHydrated } from 'remix-utils/use-hydrated';
import { isComposing } from '../../lib/composing.ts';
import { writeInto } from './drafts/write-into.ts';
import styles from './keypad.work.module.css';
import {
  finishNumber,
  type KeypadChange,
  type KeypadKey,
  type KeypadLimits,
  pressKey,
  readTyped,
  usualDecimals,
} from './keypad-value.ts';

type InputProps = Omit<
  ComponentProps<'input'>,
  'type' | 'inputMode' | 'value' | 'defaultValue' | 'onChange' | keyof KeypadLimits
>;

export interface KeypadInputProps extends InputProps, KeypadLimits {
  /** Value of a controlled input. Without it, the input keeps its own value, starting with `defaultValue`. */
  value?: string;
  defaultValue?: string;
  /** Called on every change with the cleaned value. `changed` is set if the value differs from the typed number. */
  onValueChange?: (value: string, changed: KeypadChange | undefined) => void;
  /** Extra key that closes the keypad and runs the usual next step. */
  done?: { label: string; run: () => void } | undefined;
}

const keys: { key: KeypadKey; label: string; face: ReactNode }[] = [
  ...(['7', '8', '9', '4', '5', '6', '1', '2', '3'] as const).map((key) => ({ key, label: key, face: key })),
  { key: 'point', label: '小数点', face: '.' },
  { key: '0', label: '0', face: '0' },
  { key: 'delete-last', label: '删除末位', face: <IconBackspace /> },
  { key: 'clear', label: '清空', face: '清空' },
];

/**
 * Numeric input with a pop-up keypad. On touch screens the keypad opens instead of the system keyboard. With mouse and
 * keyboard the input is typed into, and a button opens the keypad. Without client JS it is a plain input.
 */
export function KeypadInput(props: KeypadInputProps) {
  const { value, defaultValue = '', onValueChange, min, max, decimals = usualDecimals, done, ref, ...input } = props;
  const limits = { min, max, decimals };
  const [own, setOwn] = useState(defaultValue);
  const [open, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const [touched, setTouched] = useState<boolean | null>(null);
  /** Text that an input method is composing, such as full-width digits. Null if none. */
  const [composing, setComposing] = useState<string | null>(null);
  const keypadId = useId();
  // Deferred, so that the hydration stays responsive on a slow PC.
  const hydrated = useDeferredValue(useHydrated());
  const coarse = useCoarsePointer();
  const byTouch = touched ?? coarse;
  const kept = value ?? own;
  useImperativeHandle(ref, () => field.current as HTMLInputElement, []);

  const change = (text: string) => {
    const { value: next, changed } = readTyped(text, limits);
    setOwn(next);
    onValueChange?.(next, changed);
  };

  // Text typed before hydration is in the field, not yet in the state.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useEffect(() => {
    const typed = field.current?.value ?? '';
    if (typed !== kept) change(typed);
  }, []);

  const press = (key: KeypadKey) => {
    // Leaves `max` and a leading point to the input event, which applies them and reports the change.
    const text = field.current?.value ?? '';
    const next = key === 'point' && text === '' ? '.' : pressKey(text, key, { decimals });
    if (field.current) writeInto(field.current, next);
    if (key === 'clear') setOpen(false);
  };

  const finish = () => {
    const finished = finishNumber(kept, limits);
    if (field.current && finished !== kept) writeInto(field.current, finished);
  };

  const closeAndDo = () => {
    setOpen(false);
    finish();
    done?.run();
  };

  const leave = (event: FocusEvent<HTMLDivElement>) => {
    if (event.currentTarget.contains(event.relatedTarget)) return;
    setOpen(false);
    finish();
  };

  const hearKey = (event: KeyboardEvent<HTMLDivElement>) => {
    if (isComposing(event.nativeEvent)) return;
    // Enter submits the form, so the final value is set first.
    if (event.key === 'Enter' && event.target === field.current) finish();
    if (event.key !== 'Escape' || !open) return;
    event.stopPropagation();
    event.preventDefault();
    setOpen(false);
    field.current?.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only listens to what its input and buttons do
    <div className={styles.group} onBlur={leave} onKeyDownCapture={hearKey}>
      <input
        autoComplete="off"
        pattern={decimals > 0 ? `[0-9０-９]+([.．。｡，][0-9０-９]{0,${decimals}})?` : '[0-9０-９]+'}
        title={decimals > 0 ? `数字，最多 ${decimals} 位小数` : '整数'}
        {...input}
        ref={field}
        type="text"
        // 'none' keeps the system keyboard away, because it would cover the keypad.
        inputMode={hydrated && byTouch ? 'none' : 'decimal'}
        className={input.className ? `${styles.field} ${input.className}` : styles.field}
        value={composing ?? kept}
        onChange={(event) => {
          const { currentTarget, nativeEvent } = event;
          if ('isComposing' in nativeEvent && nativeEvent.isComposing) setComposing(currentTarget.value);
          else change(currentTarget.value);
        }}
        onCompositionEnd={(event) => {
          input.onCompositionEnd?.(event);
          setComposing(null);
          change(event.currentTarget.value);
        }}
        onPointerDown={(event) => {
          input.onPointerDown?.(event);
          setTouched(event.pointerType === 'touch');
        }}
        onClick={(event) => {
          input.onClick?.(event);
          if (byTouch) setOpen(true);
        }}
        onFocus={(event) => {
          input.onFocus?.(event);
          if (byTouch) setOpen(true);
        }}
      />
      {hydrated && (
        <button
          type="button"
          className={styles.opener}
          aria-label={open ? '关闭数字键盘' : '打开数字键盘'}
          aria-expanded={open}
          aria-controls={open ? keypadId : undefined}
          disabled={input.disabled || input.readOnly}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => {
            setOpen(!open);
            if (!open) field.current?.focus();
          }}
        >
          <IconNumbers />
        </button>
      )}
      {open && !input.disabled && !input.readOnly && (
        <Keypad id={keypadId} hasPoint={decimals > 0} onPress={press} done={done && { ...done, run: closeAndDo }} />
      )}
    </div>
  );
}

interface KeypadProps {
  id: string;
  hasPoint: boolean;
  onPress: (key: KeypadKey) => void;
  done: KeypadInputProps['done'];
}

/** Keeps the focus in the input, so that the user can both type and press keys of the keypad. */
const keepFocus = (event: { preventDefault(): void }) => event.preventDefault();

/** Top edge of the nearest ancestor that scrolls. Above it the keypad would be clipped. */
function edgeAbove(element: Element | null): number {
  const around = element?.parentElement;
  if (!around) return 0;
  const scrolls = /auto|scroll/.test(window.getComputedStyle(around).overflowY);
  return scrolls ? around.getBoundingClientRect().top : edgeAbove(around);
}

function Keypad({ id, hasPoint, onPress, done }: KeypadProps) {
  const pad = useRef<HTMLFieldSetElement>(null);
  /** Opens upwards or to the left if the window would clip it. */
  const [away, setAway] = useState({ above: false, leftward: false });
  useLayoutEffect(() => {
    const bounds = pad.current?.getBoundingClientRect();
    if (!bounds) return;
    setAway({
      above: bounds.bottom > window.innerHeight && bounds.height < bounds.top - edgeAbove(pad.current),
      leftward: bounds.right > window.innerWidth && bounds.width < bounds.right,
    });
  }, []);
  return (
    <fieldset
      ref={pad}
      id={id}
      className={styles.keypad}
      data-above={away.above || undefined}
      data-leftward={away.leftward || undefined}
      aria-label="数字键盘"
    >
      {keys.map(({ key, label, face }) => (
        <button
          key={key}
          type="button"
          className={styles.key}
          data-key={key}
          aria-label={label}
          disabled={key === 'point' && !hasPoint}
          onPointerDown={keepFocus}
          onMouseDown={keepFocus}
          onClick={() => onPress(key)}
        >
          {face}
        </button>
      ))}
      {done && (
        <button
          type="button"
          className={styles.key}
          data-key="done"
          onPointerDown={keepFocus}
          onMouseDown={keepFocus}
          onClick={done.run}
        >
          {done.label}
        </button>
      )}
    </fieldset>
  );
}

const coarsePointer = '(pointer: coarse)';

function useCoarsePointer(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = window.matchMedia(coarsePointer);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => window.matchMedia(coarsePointer).matches,
    () => false,
  );
}
