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
        <li key={point.id}>
          {point.children.length === 0 ? (
            <div className={styles.leaf}>
              <PointButton id={point.id} name={point.name} chosen={chosen} />
            </div>
          ) : (
            <details open={isTop || holds(point, chosen)}>
              <summary>
                <PointButton id={point.id} name={point.name} chosen={chosen} />
              </summary>
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
