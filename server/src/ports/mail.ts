/** A text for one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /**
   * Resolves when the mail server has taken it. Throws otherwise, within about ten seconds of its turn; also when too many
   * mails wait already.
   */
  send(mail: Mail): Promise<void>;
  /** Connects and signs in to the mail server. Throws if it can't, within about ten seconds. */
  verify(): Promise<void>;
}
