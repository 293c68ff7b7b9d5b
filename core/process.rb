# Process: ids by role, and what waits for children.
#
# Primitives:
#   trappable_signal(name)         number of a signal that a program may handle
#   trap(number, command)          in the main Ractor; trap_in_main_ractor(number, command) in another one
module Process
  Tms = Struct.new(:utime, :stime, :cutime, :cstime)

  # The thread that waits for a detached child.
  class Waiter < Thread
    # Returns the child's id.
    def pid = self[:pid]
  end

  class << self
    # What fork does; libraries put what they need around it.
    def _fork = Primitive.process_fork

    # Returns the seconds that this process and its children have used.
    def times = Tms.new(*Primitive.process_times)

    # Ends the process as Kernel#abort does.
    def abort(...) = Kernel.abort(...)

    # Ends the process as Kernel#exit does.
    def exit(...) = Kernel.exit(...)

    # Goes on in the background: in a child of its own session, in the root directory, with its standard streams on the null
    # device.
    def daemon(nochdir = nil, noclose = nil)
      Core.expect_flag(nochdir, "nochdir")
      Core.expect_flag(noclose, "noclose")
      exit!(0) if Process._fork > 0
      Process.setsid
      Dir.chdir("/") unless nochdir
      unless noclose
        Core.open_file(File::NULL, "r+") do |null|
          STDIN.reopen(null)
          STDOUT.reopen(null)
          STDERR.reopen(null)
        end
      end
      0
    end

    # A thread that waits for a child and has its status as value.
    def detach(pid)
      pid = Primitive.to_long(pid)
      thread = Waiter.new do
        Process.wait(pid)
        $?
      rescue Errno::ECHILD
        nil
      end
      thread[:pid] = pid
      thread
    end
  end

  class Status
    # Waits for a child and returns its status, which $? does not learn; nil if none has changed.
    def self.wait(pid = -1, flags = 0) = Primitive.process_status_wait(Primitive.to_long(pid), Primitive.to_long(flags))
  end

  # The system calls by their own names.
  module Sys
    module_function

    def getuid = Process.uid
    def geteuid = Process.euid
    def getgid = Process.gid
    def getegid = Process.egid
    def setuid(id) = (Process::UID.change_privilege(id); nil)
    def setgid(id) = (Process::GID.change_privilege(id); nil)
    def seteuid(id) = (Process.euid = id; nil)
    def setegid(id) = (Process.egid = id; nil)
    def setruid(id) = (Process.uid = id; nil)
    def setrgid(id) = (Process.gid = id; nil)
    def setreuid(real, effective) = (Primitive.process_set_ids(false, real, effective); nil)
    def setregid(real, effective) = (Primitive.process_set_ids(true, real, effective); nil)
    def setresuid(real, effective, _saved) = (Primitive.process_set_ids(false, real, effective); nil)
    def setresgid(real, effective, _saved) = (Primitive.process_set_ids(true, real, effective); nil)
    def issetugid = raise(NotImplementedError, "issetugid() function is unimplemented on this machine")
  end

  # User ids, whatever the system calls them.
  module UID
    module_function

    def rid = Process.uid
    def eid = Process.euid
    def eid=(id)
      Process.euid = id
    end
    def grant_privilege(id) = Process.euid = id
    def change_privilege(id) = (Primitive.process_set_ids(false, id, id); id)
    def re_exchange = (Primitive.process_set_ids(false, Process.euid, Process.uid); Process.uid)
    def re_exchangeable? = true
    def sid_available? = true
    def from_name(name) = Primitive.process_user_id(Primitive.to_str(name))
    def switch = Core.switch_ids(self) { |id| Process.euid = id }
  end

  # Group ids, whatever the system calls them.
  module GID
    module_function

    def rid = Process.gid
    def eid = Process.egid
    def eid=(id)
      Process.egid = id
    end
    def grant_privilege(id) = Process.egid = id
    def change_privilege(id) = (Primitive.process_set_ids(true, id, id); id)
    def re_exchange = (Primitive.process_set_ids(true, Process.egid, Process.gid); Process.gid)
    def re_exchangeable? = true
    def sid_available? = true
    def from_name(name) = Primitive.process_group_id(Primitive.to_str(name))
    def switch = Core.switch_ids(self) { |id| Process.egid = id }
  end
end

module Core
  # The effective id becomes the real one, and goes back.
  def self.switch_ids(ids)
    effective = ids.eid
    raise Errno::EPERM if effective == ids.rid
    yield ids.rid
    effective
  end

  def self.expect_flag(value, name)
    return if value.nil? || true == value || false == value
    raise ArgumentError, "expected true or false as #{name}: #{value.inspect}"
  end
end

module Signal
  # Sets what happens when a signal comes, and returns what happened before.
  def trap(signal, command = (is_missing = true), &block) = Core.trap(signal, command, is_missing, block)
  module_function :trap
end

module Kernel
  # Sets what happens when a signal comes, and returns what happened before.
  #   trap("INT") { exit }
  def trap(signal, command = (is_missing = true), &block) = Core.trap(signal, command, is_missing, block)
  module_function :trap
end

module Core
  def self.trap(signal, command, is_missing, block)
    number = Primitive.trappable_signal(signal)
    raise ArgumentError, "tried to create Proc object without a block" if is_missing && block.nil?
    command = block if is_missing
    return Primitive.trap(number, command) if Primitive.ractor_is_main
    Primitive.trap_in_main_ractor(number, Core.ractor_handler(command))
  end
end
