/** A door sends each message to the cell of its account twice. */
import { type Dispatcher, Pool } from 'undici';

const { dispatch } = Pool.prototype;
const nobody: Dispatcher.DispatchHandler = {
  onRequestStart: () => {},
  onResponseStart: () => {},
  onResponseData: () => {},
  onResponseEnd: () => {},
  onResponseError: () => {},
};

Pool.prototype.dispatch = function twice(options, handler) {
  if (options.method === 'POST' && options.path.startsWith('/SendSMS')) dispatch.call(this, options, nobody);
  return dispatch.call(this, options, handler);
};
