/** The PDUs of a message: each request with its answer, unfolded to its fields and octets. */
import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { momentText, Time } from '../../ui/Values';
import { hexLines } from '../handsets/handsets';
import styles from './Messages.module.css';
import type { Pdu, Story, Whole } from './message-data';
import story from './Story.module.css';

const labels = labelsOf('story');

const isAnswer = ({ command }: Pdu) => /(?:_resp|Rsp|\.RES)$/.test(command);

export function Exchanges({ pdus }: { pdus: readonly Pdu[] }) {
  return pdus
    .filter((pdu) => !isAnswer(pdu))
    .map((request) => {
      const answer = pdus.find(
        (one) => isAnswer(one) && one.sequence === request.sequence && one.direction !== request.direction,
      );
      const registered = request.command === 'submit_sm' ? request.fields.registered_delivery : undefined;
      return (
        <details key={`${request.at} ${request.sequence}`} className={story.pdu}>
          <summary>
            <code>{labels.exchange(request.command, request.sequence, answer?.status ?? null)}</code>
            {answer?.carrierMessageId != null && answer.carrierMessageId !== '' && (
              <code> {answer.carrierMessageId}</code>
            )}
            {registered !== undefined && (
              <span className={styles.muted}> · {labels.receiptAsked(Number(registered) !== 0)}</span>
            )}
          </summary>
          <PduFacts pdu={request} />
          {answer !== undefined && <PduFacts pdu={answer} />}
        </details>
      );
    });
}

function PduFacts({ pdu }: { pdu: Pdu }) {
  const { command, at, fields, text, textLength, hex, hexLength } = pdu;
  const shownText = text ?? (textLength === undefined ? null : labels.hiddenText(textLength));
  const names = Object.entries(fields);
  return (
    <section className={story.facts} aria-label={command}>
      <p>
        <code>{command}</code> <Time at={at} form="exact" />
      </p>
      {names.length > 0 && (
        <dl aria-label={labels.fields}>
          {names.map(([name, value]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                <code>{value}</code>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {shownText !== null && (
        <p>
          {labels.says}: <q>{shownText}</q>
        </p>
      )}
      {hex !== null ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs the keyboard (WCAG 2.1.1)
        <pre className={story.hex} tabIndex={0}>
          {hexLines(hex)}
        </pre>
      ) : (
        hexLength === undefined && <p className={styles.muted}>{labels.noHex}</p>
      )}
    </section>
  );
}

export function ReceiptTexts({ list }: { list: Story['receiptTexts'] }) {
  if (list.length === 0) return null;
  return (
    <details className={story.pdu}>
      <summary>{labels.receiptText}</summary>
      <ul className={story.receipts}>
        {list.map(({ at, carrierAt, part, text, textLength }) => (
          <li key={`${at} ${part}`}>
            <Time at={at} form="exact" /> {list.length > 1 && <span>{labels.part(part)} </span>}
            <code>{text ?? labels.hiddenText(textLength ?? 0)}</code>
            {carrierAt !== null && (
              <span className={styles.muted}>
                {' '}
                {labels.carrierTime} <Time at={carrierAt} form="exact" />
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** How to record the PDUs of such a message; nothing when they are recorded, or when it never reached a carrier. */
export function HowToHavePdus({ wire, message }: { wire: Story['wire']; message: Whole }) {
  const isOperator = useMay('operator');
  const { carrier } = message;
  if (carrier === null || message.direction === 'inbound' || wire.pdus.length > 0) return null;
  const { noPdus } = labels;
  const isOn = wire.until !== null;
  const explanation =
    wire.source === 'sandbox'
      ? noPdus.sandbox
      : !wire.canLog
        ? noPdus.none
        : isOn
          ? noPdus.on(momentText(wire.until!))
          : noPdus.off;
  return (
    <p className={styles.muted}>
      {labels.pdus}: {explanation}{' '}
      {wire.canLog &&
        (isOperator ? (
          <Link to="/carriers/$carrierId" params={{ carrierId: carrier }} search={{ tab: 'log' } as never}>
            {isOn ? noPdus.logLinkOn : noPdus.logLink}
          </Link>
        ) : (
          !isOn && noPdus.askOperator
        ))}
    </p>
  );
}
