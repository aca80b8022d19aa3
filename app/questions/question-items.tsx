/** Parts of a material question, with buttons to add, remove and move them. */

import type { QuestionDraft } from '#server/questions/rules.ts';
import { FieldError } from './field-error.tsx';
import { ConfirmOperation, OperationButton } from './operation-button.tsx';
import { QuestionFields } from './question-fields.tsx';
import styles from './question-form.work.module.css';
import type { QuestionFormContext } from './question-form-context.ts';
import { orderMessages } from './terms.ts';

export function QuestionItems({ items, context }: { items: QuestionDraft[]; context: QuestionFormContext }) {
  const { asking } = context;
  const askedFor = asking && 'item' in asking ? asking.item : undefined;
  return (
    <section className={styles.items} aria-label="小题">
      <FieldError path="ques_item" />
      {items.map((item, index) => {
        const anchor = `ques_item.${index}`;
        const named = `第 ${index + 1} 小题`;
        return (
          <fieldset
            // biome-ignore lint/suspicious/noArrayIndexKey: a sub-question is its place; what it holds is the state.
            key={index}
            className={styles.item}
            id={anchor}
          >
            <legend>{named}</legend>
            <div className={styles.itemActions}>
              <OperationButton
                context={context}
                operation={{ kind: 'move-up', index }}
                anchor={`ques_item.${Math.max(0, index - 1)}`}
                id={`move-up-${index}`}
                label={`上移${named}`}
              >
                上移
              </OperationButton>
              <OperationButton
                context={context}
                operation={{ kind: 'move-down', index }}
                anchor={`ques_item.${Math.min(items.length - 1, index + 1)}`}
                id={`move-down-${index}`}
                label={`下移${named}`}
              >
                下移
              </OperationButton>
              {askedFor !== index && (
                <OperationButton
                  context={context}
                  operation={{ kind: 'ask-item', index }}
                  anchor={anchor}
                  label={`删除${named}`}
                >
                  删除
                </OperationButton>
              )}
              {askedFor === index && (
                <div className={styles.asking}>
                  <ConfirmOperation
                    context={context}
                    question={orderMessages.remove}
                    operation={{ kind: 'remove-item', index }}
                    anchor={`ques_item.${Math.max(0, index - 1)}`}
                  />
                </div>
              )}
            </div>
            <QuestionFields question={item} at={`ques_item.${index}.`} context={context} />
          </fieldset>
        );
      })}
      <OperationButton
        context={context}
        operation={{ kind: 'add-item' }}
        anchor={`ques_item.${items.length}`}
        kind="plain"
      >
        添加小题
      </OperationButton>
    </section>
  );
}
