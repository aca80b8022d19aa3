/** Tree of knowledge points as buttons. Choosing a point includes all points below it. */
import type { PartialPoint } from '#server/questions/contract.ts';
import { AddressButton } from '../ui/address-form.tsx';
import styles from './picker.work.module.css';

interface PointTreeProps {
  points: PartialPoint[];
  chosen: number | undefined;
  /** True if the tree shows matches of a name search; then all of it is unfolded. */
  isFound: boolean;
}

export function PointTree({ points, chosen, isFound }: PointTreeProps) {
  return (
    <nav className={styles.tree} aria-label="知识点">
      <PointButton id={undefined} name="全部知识点" chosen={chosen} />
      {points.length === 0 && <p>没有这个名称的知识点</p>}
      <Branch points={points} chosen={chosen} isFound={isFound} isTop />
    </nav>
  );
}

function Branch({ points, chosen, isFound, isTop }: PointTreeProps & { isTop?: boolean }) {
  return (
    <ul>
      {points.map((point) => (
        <li key={point.id} className={point.children.length === 0 ? styles.leaf : styles.branch}>
          {/* The button is beside the triangle, not inside the summary, so that a press either chooses the point or unfolds it. */}
          <PointButton id={point.id} name={point.name} chosen={chosen} more={point.more} />
          {point.children.length > 0 && (
            <details open={isTop || isFound || containsPoint(point, chosen)}>
              <summary aria-label={`${point.name}的下级`} />
              <Branch points={point.children} chosen={chosen} isFound={isFound} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

/** True if the chosen point is this one or below it. */
const containsPoint = (point: PartialPoint, chosen: number | undefined): boolean =>
  point.id === chosen || point.children.some((child) => containsPoint(child, chosen));

interface PointButtonProps {
  id: number | undefined;
  name: string;
  chosen: number | undefined;
  /** Number of children that are only loaded when this point is chosen. */
  more?: number | undefined;
}

function PointButton({ id, name, chosen, more }: PointButtonProps) {
  return (
    <AddressButton name="point_id" value={id ?? ''} aria-pressed={id === chosen} className={styles.point}>
      {name}
      {more !== undefined && (
        <>
          <span className="visually-hidden">，还有{more}个下级</span>
          <span aria-hidden="true"> ▸</span>
        </>
      )}
    </AddressButton>
  );
}
