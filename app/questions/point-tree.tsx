/** The knowledge points as a tree of buttons: a point stands for itself and everything below it. */
import type { KnowledgePoint } from '#server/questions/contract.ts';
import { AddressButton } from '../ui/address-form.tsx';
import styles from './picker.module.css';

interface PointTreeProps {
  points: KnowledgePoint[];
  chosen: number | undefined;
}

export function PointTree({ points, chosen }: PointTreeProps) {
  return (
    <nav className={styles.tree} aria-label="知识点">
      <PointButton id={undefined} name="全部知识点" chosen={chosen} />
      <Branch points={points} chosen={chosen} isTop />
    </nav>
  );
}

function Branch({ points, chosen, isTop }: PointTreeProps & { isTop?: boolean }) {
  return (
    <ul>
      {points.map((point) => (
        <li key={point.id} className={point.children.length === 0 ? styles.leaf : styles.branch}>
          {/* Beside its triangle, not in it: what is pressed is one thing. */}
          <PointButton id={point.id} name={point.name} chosen={chosen} />
          {point.children.length > 0 && (
            <details open={isTop || holds(point, chosen)}>
              <summary aria-label={`${point.name}的下级`} />
              <Branch points={point.children} chosen={chosen} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The chosen point is this one or below it. */
const holds = (point: KnowledgePoint, chosen: number | undefined): boolean =>
  point.id === chosen || point.children.some((child) => holds(child, chosen));

function PointButton({ id, name, chosen }: { id: number | undefined; name: string; chosen: number | undefined }) {
  return (
    <AddressButton name="point_id" value={id ?? ''} aria-pressed={id === chosen} className={styles.point}>
      {name}
    </AddressButton>
  );
}
