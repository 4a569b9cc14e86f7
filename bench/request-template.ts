/** The request that a load generator sends again and again. */
import type { ScratchCaller } from '../packages/gateway/src/cli/prove/scratch-records.ts';
import { destinationOf, sendRequest } from '../test/props/client.ts';

const text = 'Hello benchmark message lorem ipsum dolor sit amet consectetur';

/** A request whose recipients are overwritten in place: all have the same length. */
export function createTemplate(
  batch: number,
  caller?: ScratchCaller,
): { bytes: Buffer; fill(firstNumber: number): void } {
  const mark = destinationOf(0);
  const bytes = Buffer.from(
    sendRequest(
      Array.from({ length: batch }, () => mark),
      text,
      undefined,
      [],
      caller,
    ),
  );
  const offsets: number[] = [];
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + mark.length)) offsets.push(at);
  return {
    bytes,
    fill: (firstNumber) => {
      let number = firstNumber;
      for (const offset of offsets) bytes.write(destinationOf(number++), offset, 'latin1');
    },
  };
}
