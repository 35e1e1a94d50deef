# Something of everything that the interpreter has; printed, so that two builds of it can be compared.
my %count;
$count{length $_}++ for split / /, "the quick brown fox jumps over the lazy dog";
print join(",", map { "$_=$count{$_}" } sort { $a <=> $b } keys %count), "\n";

sub fib { my $n = shift; $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
printf "%d %.10f %s %x %s\n", fib(18), atan2(1, 1) * 4, 10 ** 20, 48879, 7 % -3;

my $text = "static single assignment form";
(my $title = $text) =~ s/(\w)(\w*)/\U$1\E$2/g;
print "$title ", scalar reverse($text), " ", ($text =~ tr/a-m//), " ", join("|", $text =~ /(?<=s)(\w+?)(?=n|t)/g), "\n";

package Account {
  sub new { my ($class, %with) = @_; return bless { total => 0, %with }, $class }
  sub add { $_[0]{total} += $_[1]; $_[0] }
  sub AUTOLOAD { our $AUTOLOAD; return "no $AUTOLOAD" }
  sub DESTROY { print "gone $_[0]{name}\n" }
}
{
  my $account = Account->new(name => "savings");
  print $account->add(5)->add(7.5)->{total}, " ", $account->missing, " ", ref $account, "\n";
}

my @next = map { my $n = $_; sub { $n += shift } } 1 .. 3;
print join(" ", map { $_->(10) + $_->(1) } @next), "\n";
print eval { die { code => 42 } } // $@->{code}, " ", eval "1 +* 2" // "wrong", " ", (eval { 1 / ($text eq "") } // $@);
my @sorted = sort { $a->[1] cmp $b->[1] or $b->[0] <=> $a->[0] } map { [$_, $_ * 37 % 11] } 1 .. 20;
print "@{[map { $_->[0] } @sorted[0 .. 9]]} ", unpack("H*", pack("NnA3", 1234, 56, "xyz")), " ", sprintf("%vd", "1.22.333"), "\n";
local $, = "-";
print grep({ !($_ & 1) } 1 .. 9), wantarray() // "none", "\x{e9}" =~ /\w/u ? "word" : "other", "\n";
print sort(keys %{{ map { lc, 1 } qw(B A c) }}), join("", splice(@{[1 .. 9]}, 2, 3)), ("ab" x 3), ($text ^ "   "), "\n";
