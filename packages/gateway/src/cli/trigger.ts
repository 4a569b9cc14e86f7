/**
 * `helio trigger TYPE`: makes the gateway create an example event, which goes to webhooks and listeners like any other.
 */
import { badConfigurationExitCode } from '../app/config.ts';
import { eventTypeHelp, eventTypeProblem } from './event-type.ts';
import { gatewayAccess, withGateway } from './gateway-access.ts';
import { exitCodes, type Terminal } from './terminal.ts';

export async function trigger(
  type: string | undefined,
  flags: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  if (type === undefined) {
    terminal.out(eventTypeHelp.trimStart());
    return exitCodes.ok;
  }
  const problem = eventTypeProblem(type, 'trigger');
  if (problem !== null) {
    terminal.error(problem);
    return exitCodes.usage;
  }
  const access = gatewayAccess(terminal);
  if (access === null) return badConfigurationExitCode;
  return withGateway(access, terminal, {}, async (helio) => {
    const event = await helio.events.trigger(type);
    terminal.out(flags.json === true ? `${JSON.stringify(event)}\n` : `${event.type}  ${event.id}\n`);
    return exitCodes.ok;
  });
}
