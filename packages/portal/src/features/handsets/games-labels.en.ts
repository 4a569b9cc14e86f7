/** Sentences of the sandbox page: four failures, your own code, and the needs of a real carrier. */

export const gameLabels = {
  breakIt: {
    title: 'Break it on purpose',
    what: 'Four failures of the sandbox, and where each shows itself. Nobody outside this gateway notices.',
    text: 'Does this arrive?',
    failures: {
      off: {
        title: 'The handset is off',
        detail: 'The carrier keeps the text until it is switched on again, at most ten minutes.',
        act: 'Switch it off and send',
        after: 'The text was accepted and stays “sent to carrier”. Look at',
        look: 'its timeline',
        undo: 'Switch it on',
        undone: 'It is on again and receives the waiting messages.',
      },
      full: {
        title: 'Its inbox is full',
        detail: 'The carrier takes the text, and its receipt says UNDELIV.',
        act: 'Fill it and send',
        after: 'The text ends as undelivered, with its code. Look at',
        look: 'its timeline',
        undo: 'Make space',
        undone: 'There is space again.',
      },
      stop: {
        title: 'The person texts STOP',
        detail: 'From then on a text to that number is refused with OPTED_OUT, before it leaves.',
        act: 'Text STOP',
        after: 'The number is on the list, with its proof. Look at',
        look: 'Opt-outs',
        undo: 'Text START',
        undone: 'The number may be texted again.',
      },
      drop: {
        title: 'The link to the carrier drops',
        detail: 'Both sessions end at once. Texts wait on disk until one is bound again, within seconds.',
        act: 'Drop it and send',
        after: 'The sessions come back by themselves, and the text goes out. Look at',
        look: 'its timeline',
        undo: '',
        undone: '',
      },
    },
  },
  ownCode: {
    title: 'Your own code',
    what: 'See every event as it happens, handed on and signed to a server on this machine:',
    command: 'command',
    or: 'Or have the gateway call an address of yours:',
    endpoint: 'add a webhook endpoint',
  },
  realCarrier: {
    title: 'Connect a real carrier',
    go: 'Connect a carrier',
    needed: 'What is needed',
    needs: [
      'Of the carrier: its SMPP host and port, a system_id and a password.',
      'A brand and an approved campaign, and a number on it: without them no text leaves.',
      'A live key pair, made under API keys.',
    ],
    second: 'A second factor for your own account:',
    profile: 'set it up in your profile',
    changes: 'What changes, and what does not',
    stays: [
      'Sandbox keys stay sandbox: they never reach a real carrier.',
      'Webhooks to this machine and to private addresses are switched off, unless the operator allows them.',
      'Test numbers and handsets stay in the sandbox; switch it off with HELIO_SANDBOX=0.',
    ],
    operatorOnly: 'The operator of this gateway connects carriers. Ask for it there.',
  },
} as const;
