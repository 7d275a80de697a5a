export interface Remnants {
  /**
   * Removes a batch of each thing that nobody needs any more: keys 30 days after they were revoked, thumbnails 30 days after they
   * were made, images that no bio page has shown for 30 days. True when there may be more. Any number of processes may.
   */
  forget(now: Date): Promise<boolean>;
}
