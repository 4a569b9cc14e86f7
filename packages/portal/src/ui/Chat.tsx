/** Bubbles of a conversation, and the reply box. The page decides what is sent, and how. */
import { countSegments } from '@heliograph/text';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  type Dispatch,
  Fragment,
  memo,
  type ReactNode,
  type Ref,
  type SetStateAction,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { api } from '../api/client';
import type { UploadedMedium } from '../api/routes/media';
import { useMe } from '../api/session';
import { sizeText } from '../language/formats';
import { labelsOf } from '../language/labels';
import { Button, IconButton } from './Button';
import styles from './Chat.module.css';
import { charactersOf } from './characters';
import { useFollowedEnd } from './follow-end';
import { Icon } from './icons';
import { isSentType, isShownPicture, mediumIcon } from './medium';
import { FormFault, Loading } from './States';
import { dayText, Time, todayText } from './Values';

const labels = labelsOf('chat');

export interface ChatMedium {
  id: string;
  /** A picture for an `img`: a path of this site (`src`), or a route of the portal API that needs the session (`route`). */
  src?: string | null;
  route?: string | null;
  contentType: string;
  name: string;
  sizeBytes: number | null;
}

export interface ChatMessage {
  id: string;
  /** On the right: sent by this side. */
  own: boolean;
  head?: string;
  text: string | null;
  at: string;
  foot?: ReactNode;
  /** The message's page, which the time links to. */
  opens?: string;
  /** The next message continues it: time and outcome are shown only on hover. */
  isFollowed?: boolean;
  media: readonly ChatMedium[];
}

export function Chat({
  label,
  messages,
  fills = false,
  before,
}: {
  label: string;
  messages: readonly ChatMessage[];
  /** Fills the remaining height, with the newest at the bottom and a line for each day. */
  fills?: boolean;
  /** Above the oldest, as a button for older ones. */
  before?: ReactNode;
}) {
  const { list, row } = useFollowedEnd(messages, { isOwn: messages.at(-1)?.own === true });
  const today = todayText();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
    <ol ref={list} className={`${styles.chat} ${fills ? styles.fills : ''}`} aria-label={label} tabIndex={0}>
      {before !== undefined && (
        <li ref={row} className={styles.before}>
          {before}
        </li>
      )}
      {messages.map((message, index) => {
        const day = fills ? dayText(message.at) : '';
        const earlier = messages[index - 1];
        return (
          <Fragment key={message.id}>
            {fills && (earlier === undefined || dayText(earlier.at) !== day) && (
              <li ref={row} className={styles.day}>
                {day}
              </li>
            )}
            <Bubble ref={row} message={message} isBrief={fills} today={today} />
          </Fragment>
        );
      })}
    </ol>
  );
}

interface BubbleProps {
  ref: Ref<HTMLLIElement>;
  message: ChatMessage;
  isBrief: boolean;
  /** Not shown: on another day the time of the same message reads differently. */
  today: string;
}

/** Rendered again only when its message is another object: a list that follows traffic has hundreds of them. */
const Bubble = memo(({ ref, message, isBrief }: BubbleProps) => {
  const { own, head, text, at, foot, opens, isFollowed = false, media } = message;
  const time = <Time at={at} form={isBrief ? 'minute' : 'short'} />;
  return (
    <li
      ref={ref}
      className={`${styles.row} ${own ? styles.own : ''} ${isFollowed ? styles.followed : ''}`}
      data-own={own}
    >
      {head !== undefined && <span className={styles.head}>{head}</span>}
      <div className={styles.bubble}>
        {media.map((medium) => (
          <Medium key={medium.id} medium={medium} />
        ))}
        {text !== null && text !== '' && <p className={styles.text}>{text}</p>}
      </div>
      <span className={styles.foot}>
        {opens === undefined ? (
          time
        ) : (
          <Link to={opens as '/'} className={styles.opens}>
            {time}
            <span className="visually-hidden">, {labels.details}</span>
          </Link>
        )}
        {foot}
      </span>
    </li>
  );
});

function Medium({ medium }: { medium: ChatMedium }) {
  const { src, route, contentType, name, sizeBytes } = medium;
  const size = sizeBytes === null ? '' : ` · ${sizeText(sizeBytes)}`;
  const isPicture = isShownPicture(contentType);
  return (
    <figure className={styles.medium}>
      {src == null && route == null ? (
        <span className={styles.gone}>{labels.gone}</span>
      ) : route != null ? (
        <Fetched route={route} name={name} isPicture={isPicture} />
      ) : isPicture ? (
        <img src={src!} alt={name} className={styles.picture} />
      ) : (
        // On another site the browser decides; for this one the gateway says that the file must be saved.
        <a href={src!} {...(src!.startsWith('/') && { download: name, 'aria-label': labels.saveNamed(name) })}>
          {src!.startsWith('/') ? labels.save : labels.open}
        </a>
      )}
      <figcaption className={styles.caption}>
        {!isPicture && contentType !== 'link' && <Icon name={mediumIcon(contentType)} />} {name} · {contentType}
        {size}
      </figcaption>
    </figure>
  );
}

/** Bytes that need the session: fetched, and shown from memory. */
function Fetched({ route, name, isPicture }: { route: string; name: string; isPicture: boolean }) {
  const { data, isError } = useQuery({
    queryKey: ['medium', route],
    queryFn: () => api.blob(route),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (data === undefined) return;
    const made = URL.createObjectURL(data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  if (isError) return <span className={styles.gone}>{labels.gone}</span>;
  if (url === null) return <Loading rows={1} />;
  return isPicture ? (
    <img src={url} alt={name} className={styles.picture} />
  ) : (
    <a href={url} download={name} aria-label={labels.saveNamed(name)}>
      {labels.save}
    </a>
  );
}

/** Stores a picture, so that it can be sent: `POST /media`. */
export async function uploadMedium(file: File): Promise<UploadedMedium> {
  return (await api.upload('/media', file, { query: { fileName: file.name } })).data;
}

export function ReplyBox({
  label,
  quick = [],
  onSend,
  pictures = true,
  anyFile = false,
  tools,
  faultOf,
  kept,
}: {
  label: string;
  /** Texts that one press sends. */
  quick?: readonly string[];
  /** `mediaUrls`: of uploaded media. Rejects when it was not sent. */
  onSend(text: string, mediaUrls: string[], others: File[]): Promise<unknown>;
  pictures?: boolean;
  /** Files of types that cannot be uploaded may be attached too: they are passed as `others`. */
  anyFile?: boolean;
  /** Beside the attach button; `put` inserts a text at the caret. With tools, everything is on one line. */
  tools?(put: (text: string) => void): ReactNode;
  /** Why this text cannot be sent; null when it can. */
  faultOf?(text: string): string | null;
  /** The text and its setter, where it outlives this box. */
  kept?: { text: string; setText: Dispatch<SetStateAction<string>> };
}) {
  const own = useState('');
  const [text, setText] = kept === undefined ? own : [kept.text, kept.setText];
  const [files, setFiles] = useState<File[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [hint, setHint] = useState('');
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();

  async function send(body: string, attached: readonly File[]): Promise<boolean> {
    if (busy) return false;
    setBusy(true);
    setError(null);
    try {
      const others = anyFile ? attached.filter(({ type }) => !isSentType(type)) : [];
      const media = await Promise.all(attached.filter((file) => !others.includes(file)).map(uploadMedium));
      await onSend(
        body,
        media.map(({ url }) => url),
        others,
      );
      return true;
    } catch (fault) {
      setError(fault);
      return false;
    } finally {
      setBusy(false);
    }
  }

  async function sendTyped(): Promise<void> {
    if (text.trim() === '' && files.length === 0) {
      setHint(labels.empty);
      return;
    }
    const fault = faultOf?.(text) ?? null;
    setHint(fault ?? '');
    if (fault !== null || !(await send(text, files))) return;
    // The next reply may have been begun meanwhile.
    setText((now) => (now.startsWith(text) ? now.slice(text.length).trimStart() : now));
    setFiles((now) => now.filter((file) => !files.includes(file)));
    field.current?.focus();
  }

  function put(added: string): void {
    const { selectionStart = text.length, selectionEnd = text.length } = field.current ?? {};
    setText(text.slice(0, selectionStart) + added + text.slice(selectionEnd));
    setHint('');
    setTimeout(() => {
      field.current?.focus();
      field.current?.setSelectionRange(selectionStart + added.length, selectionStart + added.length);
    });
  }

  return (
    <form
      className={styles.reply}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void sendTyped();
      }}
    >
      <FormFault error={error} />
      {quick.length > 0 && (
        <div className={styles.quick}>
          {quick.map((word) => (
            <Button key={word} isPending={busy} onPress={() => void send(word, [])}>
              {word}
            </Button>
          ))}
        </div>
      )}
      <Files files={files} onRemove={(file) => setFiles(files.filter((one) => one !== file))} />
      <div className={styles.box}>
        <label htmlFor={id} className="visually-hidden">
          {label}
        </label>
        <textarea
          id={id}
          ref={field}
          data-reply
          className={styles.input}
          rows={2}
          placeholder={`${label}…`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            void sendTyped();
          }}
        />
        {tools === undefined && <Counter text={text} files={files.length} />}
      </div>
      <div className={styles.actions}>
        {pictures && (
          <Attach anyFile={anyFile} isTool={tools !== undefined} onFiles={(added) => setFiles([...files, ...added])} />
        )}
        {tools?.(put)}
        <span role="status" className={styles.hint}>
          {hint}
        </span>
        {tools !== undefined && <Counter text={text} files={files.length} />}
        <Button look="primary" type="submit" isPending={busy}>
          {labels.send}
        </Button>
      </div>
    </form>
  );
}

function Counter({ text, files }: { text: string; files: number }) {
  const { segments, encoding } = countSegments(text);
  const { smsSegmentsMax } = useMe().limits;
  const warning = segments > smsSegmentsMax ? labels.tooLong(segments, smsSegmentsMax) : null;
  return (
    <span className={styles.counter}>
      {files > 0 ? labels.asMms : (warning ?? labels.count(segments, charactersOf(text), encoding))}
    </span>
  );
}

function Attach({ anyFile, isTool, onFiles }: { anyFile: boolean; isTool: boolean; onFiles(files: File[]): void }) {
  const input = useRef<HTMLInputElement>(null);
  const label = anyFile ? labels.attachFile : labels.attach;
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        {...(!anyFile && { accept: 'image/*,video/*,audio/*' })}
        className="visually-hidden"
        aria-label={label}
        tabIndex={-1}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      {isTool ? (
        <IconButton icon="picture" label={label} onPress={() => input.current?.click()} />
      ) : (
        <Button icon={anyFile ? 'file' : 'picture'} onPress={() => input.current?.click()}>
          {label}
        </Button>
      )}
    </>
  );
}

function Files({ files, onRemove }: { files: readonly File[]; onRemove(file: File): void }) {
  if (files.length === 0) return null;
  return (
    <ul className={styles.files}>
      {files.map((file) => (
        <li key={`${file.name} ${file.lastModified}`}>
          <Icon name="picture" />
          <span>
            {file.name} · {sizeText(file.size)}
          </span>
          <IconButton icon="cross" label={labels.remove(file.name)} onPress={() => onRemove(file)} />
        </li>
      ))}
    </ul>
  );
}
