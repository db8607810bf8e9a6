import { at } from '../../../../src/app/view/address-parts.ts';
import type { MessageView } from '../../../../src/app/view/trial/message-view.ts';
import { formatCount } from '../../../../src/stats/format.ts';
import { API, api } from '../../client.ts';
import { isHtmlFile } from '../../embedded-answers.ts';
import { visibleText } from '../../visible-text.ts';
import styles from './message-files.module.css';

type FileView = MessageView['files'][number];

/** The files of a message. Only images of pixels are shown; others can be saved, and an address is only text. */
export function MessageFiles({ message, traceId }: { message: MessageView; traceId: string }) {
  const { files, index } = message;
  if (files.length === 0) return null;
  return (
    <ul className={styles.files} aria-label="Files">
      {files.map((file, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the files of a message never change.
        <li key={position}>
          <ShownFile file={file} address={addressOf(traceId, index, position)} />
        </li>
      ))}
    </ul>
  );
}

function addressOf(trace: string, index: number, file: number): string {
  return `${API}${api.traces[':trace'].messages[':index'].files[':file'].$path(at({ trace, index, file }))}`;
}

function ShownFile({ file, address }: { file: FileView; address: string }) {
  const name = visibleText(file.name ?? 'file');
  const size = file.bytes === null ? '' : `, ${formatCount(file.bytes)} bytes`;
  const what = `${name} (${visibleText(file.media_type)}${size})`;
  const image = isHtmlFile ? file.data_url : file.is_image ? address : null;
  return (
    <figure className={styles.file}>
      {image !== null && <img className={styles.image} src={image} alt={name} loading="lazy" />}
      <figcaption className="soft fine">
        {file.has_content && !isHtmlFile ? (
          <a href={address} download={file.name ?? 'file'}>
            {what}
          </a>
        ) : (
          what
        )}
        {file.url !== null && <span className={styles.address}> at {visibleText(file.url)}</span>}
        {isHtmlFile && file.is_image && image === null && ': not in this file. `salvo view` shows it.'}
      </figcaption>
    </figure>
  );
}
